import { firstRow, type Queryable } from '#core';
import type { TargetKind } from '../../proposals/statements/proposals.ts';

/** An object that a part touches, by its UID: where it was, and when it had been changed last. */
export type PartTarget = { uid: string; path: string; kind: TargetKind; modified: Date };

/** A part of a release: the JSON of a request. */
export type StoredPart = {
  release: string;
  number: number;
  request: string;
  isSetup: boolean;
  author: string | null;
  added: Date;
  targets: PartTarget[];
};

type Row = Omit<StoredPart, 'targets'> & { targets: (Omit<PartTarget, 'modified'> & { modified: string })[] };

/** The parts of releases in the order of their numbers. */
export async function listParts(db: Queryable, releases: readonly string[]): Promise<StoredPart[]> {
  const rows = await db.query<Row>({
    name: 'list-release-parts',
    text: `select p.release, p.number, p.request, p.is_setup as "isSetup", p.author, p.added,
        coalesce((select jsonb_agg(jsonb_build_object('uid', t.uid, 'path', t.path, 'kind', t.kind, 'modified', t.modified)
          order by t.kind, t.path) from release_target t where t.release = p.release and t.number = p.number), '[]') as targets
      from release_part p where p.release = any($1) order by p.release, p.number`,
    values: [releases],
  });
  return rows.map(({ targets, ...row }) => ({
    ...row,
    targets: targets.map((target) => ({ ...target, modified: new Date(target.modified) })),
  }));
}

/** Stores a part of a locked release, in the place of the one with its number where there is one. */
export async function writePart(tx: Queryable, part: StoredPart): Promise<void> {
  const { release, number, request, isSetup, author, added, targets } = part;
  await deletePart(tx, release, number);
  await tx.query({
    text: `insert into release_part (release, number, request, is_setup, author, added) values ($1, $2, $3, $4, $5, $6)`,
    values: [release, number, request, isSetup, author, added],
  });
  await tx.query({
    text: `insert into release_target (release, number, uid, path, kind, modified)
      select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
    values: [
      release,
      number,
      targets.map(({ uid }) => uid),
      targets.map(({ path }) => path),
      targets.map(({ kind }) => kind),
      targets.map(({ modified }) => modified),
    ],
  });
}

/** Removes a part of a locked release. Returns false without a part of this number. */
export async function deletePart(tx: Queryable, release: string, number: number): Promise<boolean> {
  const text = 'delete from release_part where release = $1 and number = $2 returning 1';
  return (await tx.query({ text, values: [release, number] })).length > 0;
}

/** The size of a release in bytes of its requests, and the number of its parts, without one of a number. */
export async function sizeOf(
  tx: Queryable,
  release: string,
  without: number | null,
): Promise<{ bytes: number; parts: number }> {
  const row = await firstRow<{ bytes: number; parts: number }>(tx, {
    text: `select coalesce(sum(octet_length(request)), 0)::float8 as bytes, count(*)::int as parts
      from release_part where release = $1 and number is distinct from $2`,
    values: [release, without],
  });
  return row ?? { bytes: 0, parts: 0 };
}
