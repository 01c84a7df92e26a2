import { type CacheTags, cacheTagsOf } from '../../../database/cache-tags.ts';
import type { Queryable, Row } from '../../../database/database.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import { LISTED_COLUMNS } from '../../search/statements/fragments.ts';
import { type ViewRule, viewed } from '../../search/statements/view-rule.ts';
import type { TreeNode } from '../../types/content-row.ts';

/** The relation of links in text and blocks, as Plone calls it. */
export const LINK_RELATION = 'isReferencing';

/** The relation of links that occur only in fields with a read permission. No field has such a name, and no list shows these links. */
export const CLOSED_LINK_RELATION = 'isReferencing.closed';

/** One reference of an object. `relation` is the name of the relation field, or the name for links in texts and blocks. */
export type Reference = { relation: string; target: string };

/** Replaces the references of an object by the given ones, in their order. One statement. */
export async function replaceReferences(db: Queryable, source: number, references: Reference[]): Promise<void> {
  await db.query({
    name: 'replace-references',
    deferred: true,
    text: `with gone as (delete from reference where source = $1 and position > $2)
      insert into reference (source, relation, position, target)
      select $1, relation, number, target from unnest($3::text[], $4::text[]) with ordinality n(relation, target, number)
      on conflict (source, position) do update set relation = excluded.relation, target = excluded.target`,
    values: [
      source,
      references.length,
      references.map(({ relation }) => relation),
      references.map(({ target }) => target),
    ],
  });
}

/** A target of references: the data for a summary, and the viewers. */
export type TargetRow = TreeNode & {
  created: Date;
  modified: Date;
  /** Tokens of the present viewers. */
  viewers: string[];
  /** The fields without blocks and rich text. */
  fields: Record<string, unknown>;
};

const TARGETS = viewed(
  'find-targets',
  (rule) => `select ${LISTED_COLUMNS}, ${rule.viewers}
  from content c join catalog k using (oid) where c.uid = any($1::text[] || array(select p.fields->>'preview_image_link' from content p where p.uid = any($1)))`,
);

/** The tags of the targets; undefined, for any change, if a target does not exist yet. */
function tagsOfTargets(rows: readonly Row[], uids: readonly string[]): CacheTags {
  const found = new Set(rows.map(({ uid }) => uid));
  const pictures = rows.flatMap(({ fields }) => (isJsonObject(fields) ? (fields.preview_image_link ?? []) : []));
  return [...uids, ...pictures].every((uid) => found.has(uid)) ? cacheTagsOf(rows.map(({ oid }) => oid)) : undefined;
}

/** The objects with the given UIDs, and the objects whose pictures stand for them in listings (`preview_image_link`), in no order. */
export const findTargets = (db: Queryable, rule: ViewRule, uids: string[]): Promise<TargetRow[]> =>
  db.query<TargetRow>({
    ...TARGETS(rule),
    values: [uids],
    tags: (rows) => tagsOfTargets(rows, uids),
  });

/**
 * Finds the UIDs of references of any form: `{reference, uid}` for each existing object of `uids` and `paths`, and for paths that are old addresses
 * of an object. Present addresses win over old ones.
 */
export const resolveReferences = (
  db: Queryable,
  uids: string[],
  paths: string[],
): Promise<{ reference: string; uid: string }[]> =>
  db.query({
    name: 'resolve-references',
    text: `select c.uid as reference, c.uid from content c where c.uid = any($1)
      union all select c.path, c.uid from content c where c.path = any($2)
      union all select r.path, c.uid from redirect r join content c on c.oid = r.target
        where r.path = any($2) and not exists (select 1 from content p where p.path = r.path)`,
    values: [uids, paths],
  });

/** The present paths of objects by their UIDs, as far as they exist. */
export async function pathsOfUids(db: Queryable, uids: string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ uid: string; path: string }>({
    name: 'paths-of-uids',
    text: 'select uid, path from content where uid = any($1)',
    values: [uids],
  });
  return new Map(rows.map(({ uid, path }) => [uid, path]));
}

/** UIDs and paths of the objects that have one of the UIDs or lie at one of the paths. */
export const catalogAddresses = (
  db: Queryable,
  uids: readonly string[],
  paths: readonly string[],
): Promise<{ uid: string; path: string }[]> =>
  db.query({
    name: 'catalog-addresses',
    text: 'select uid, path from content where uid = any($1) union select uid, path from content where path = any($2)',
    values: [uids, paths],
  });

/** Adds the references of new objects, in their order. */
export async function insertReferences(
  db: Queryable,
  sources: readonly { oid: number; references: readonly Reference[] }[],
): Promise<void> {
  const rows = sources.flatMap(({ oid, references }) =>
    references.map(({ relation, target }, index) => ({ oid, relation, target, position: index + 1 })),
  );
  if (rows.length === 0) return;
  await db.query({
    name: 'insert-references',
    text: `insert into reference (source, relation, position, target)
      select * from unnest($1::bigint[], $2::text[], $3::int[], $4::text[])`,
    values: [
      rows.map(({ oid }) => oid),
      rows.map(({ relation }) => relation),
      rows.map(({ position }) => position),
      rows.map(({ target }) => target),
    ],
  });
}

/** The stored references of the given objects, in their order. */
export const storedReferences = (
  db: Queryable,
  sources: readonly number[],
): Promise<(Reference & { source: number })[]> =>
  db.query({
    name: 'stored-references',
    text: 'select source, relation, target from reference where source = any($1) order by source, position',
    values: [sources],
    reads: true,
  });

/** Removes all references of the given objects. */
export async function forgetReferences(db: Queryable, sources: readonly number[]): Promise<void> {
  await db.query({
    name: 'forget-references',
    text: 'delete from reference where source = any($1)',
    values: [sources],
  });
}
