import type { Queryable } from '../../../database/database.ts';
import { hasRows } from '../../../database/rows.ts';
import { AT_OR_BELOW, BELOW } from '../../search/statements/fragments.ts';
import { type Viewers, viewed } from '../../search/statements/view-rule.ts';
import { INTO_HISTORY } from './workflow-history.ts';

/** Says if a child of the container has the name. */
export const hasChild = (db: Queryable, parent: number, name: string): Promise<boolean> =>
  hasRows(db, {
    name: 'has-child',
    text: 'select 1 from content where parent = $1 and name = $2',
    values: [parent, name],
  });

/** The first number from `first` to `last` for which `copy<number>_of_<name>` is free in the container; 1 is not written. */
export async function freeCopyNumber(
  db: Queryable,
  { parent, name, first, last }: { parent: number; name: string; first: number; last: number },
): Promise<number | undefined> {
  const rows = await db.query<{ n: number }>({
    name: 'free-copy-number',
    text: `select n from generate_series($3::int, $4::int) n
      where not exists (select 1 from content c where c.parent = $1
        and c.name = 'copy' || case when n = 1 then '' else n::text end || '_of_' || $2)
      order by n limit 1`,
    values: [parent, name, first, last],
  });
  return rows[0]?.n;
}

/** A subtree to be copied into a container, under a name that is free there. Only content that the viewers may view is copied. */
export type SubtreeCopy = Viewers & {
  /** The object to copy, and its path. */
  oid: number;
  from: string;
  /** The container, the name in it, and the resulting path. */
  parent: number;
  name: string;
  to: string;
  owner: string;
  localRoles: Record<string, string[]>;
  /** The first state of objects of a type. Types without a workflow are missing. */
  workflows: readonly { type: string; workflow: string; state: string }[];
  now: Date;
};

/**
 * Every column that is not named here is copied unchanged, also columns of later migrations. Data of the original alone begin anew: identity, dates,
 * state, roles, lock, and the group of translations. Children with the same position are ordered by their oids, so copies get oids in the order of
 * the originals.
 */
const COPY = viewed(
  'copy-subtree',
  (rule) => `with recursive kept as (
    select c.oid from content c where c.oid = $1
    union all
    select c.oid from kept join content c on c.parent = kept.oid join catalog k on k.oid = c.oid where ${rule.viewable('$7')}
  ), numbered as materialized (
    select o.oid, o.path, nextval(pg_get_serial_sequence('content', 'oid')) as copy
    from (select c.oid, c.path from kept join content c using (oid) order by c.position, c.oid) o
  ), begun as materialized (
    select n.oid, n.copy, w.workflow, w.state from numbered n join content c on c.oid = n.oid
      join jsonb_to_recordset($10::jsonb) w(type text, workflow text, state text) on w.type = c.type
  ), added as (
    insert into content overriding system value
    select r.* from numbered n join content c on c.oid = n.oid
      left join numbered p on p.oid = c.parent and n.oid <> $1
      left join begun b on b.oid = n.oid
      cross join lateral jsonb_populate_record(c, jsonb_build_object(
        'oid', n.copy, 'uid', gen_random_uuid(), 'parent', coalesce(p.copy, $3::bigint),
        'name', case when n.oid = $1 then $4 else c.name end,
        'path', $5 || substr(c.path, length($2) + 1),
        'position', case when n.oid = $1 then coalesce((select max(position) + 1 from content where parent = $3), 1) else c.position end,
        'review_state', b.state, 'owner', $6::text, 'created', $9::timestamptz, 'modified', $9::timestamptz,
        'effective', case when b.state is null then c.effective end,
        'local_roles', $8::jsonb, 'inherit_roles', true, 'local_permissions', null, 'lock', null, 'translation_group', null
      )) r
  ), referred as (
    insert into reference select r.* from numbered n join reference f on f.source = n.oid
      cross join lateral jsonb_populate_record(f, jsonb_build_object('source', n.copy)) r
  ), recorded as (
    ${INTO_HISTORY}
    select copy, workflow, null, $6, '', state, $9 from begun
  )
  select copy as oid from numbered where oid = $1`,
);

/**
 * Copies an object and the content below it that the caller may view: content, references, and the first entry of the history. One statement for a
 * subtree of any size. It writes no catalog rows, see `copyCatalogRows`. Returns the copy's oid.
 */
export async function copySubtree(db: Queryable, copy: SubtreeCopy): Promise<number> {
  const rows = await db.query<{ oid: number }>({
    ...COPY(copy.rule),
    values: [
      copy.oid,
      copy.from,
      copy.parent,
      copy.name,
      copy.to,
      copy.owner,
      copy.principals,
      JSON.stringify(copy.localRoles),
      copy.now,
      JSON.stringify(copy.workflows),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error(`There is no content ${copy.oid} to copy`);
  return row.oid;
}

/** A move of an object into another container, under a name that is free there. */
export type SubtreeMove = { oid: number; parent: number; name: string; from: string; to: string };

/**
 * Moves an object behind the children of another container, and updates the paths of everything below it: two statements for a subtree of any size.
 * The caller has locked the object, and the container at least in the mode for adding. The object is moved first, which reserves its name, or throws
 * the driver's unique violation at once if a concurrent write took the name.
 */
export async function moveSubtree(db: Queryable, { oid, parent, name, from, to }: SubtreeMove): Promise<void> {
  await Promise.all([
    db.query({
      name: 'move-object',
      text: `update content set path = $2, parent = $3, name = $4,
          position = coalesce((select max(position) + 1 from content where parent = $3), 1) where oid = $1`,
      values: [oid, to, parent, name],
    }),
    moveBelow(db, from, to),
  ]);
}

/**
 * Gives an object another name, and updates the paths of everything below it. The caller holds the object. Throws the driver's unique violation when
 * the name is taken.
 */
export async function renameSubtree(
  db: Queryable,
  { oid, name, from, to }: { oid: number; name: string; from: string; to: string },
): Promise<void> {
  await Promise.all([
    db.query({
      name: 'rename-object',
      text: 'update content set path = $2, name = $3 where oid = $1',
      values: [oid, to, name],
    }),
    moveBelow(db, from, to),
  ]);
}

const moveBelow = (db: Queryable, from: string, to: string) =>
  db.query({
    name: 'move-below',
    text: `update content set path = $2 || substr(path, length($1) + 1) where ${BELOW('path', '$1')}`,
    values: [from, to],
  });

/** Bytes of the longest path at or below `path`; 0 for no object. */
export async function longestPath(db: Queryable, path: string): Promise<number> {
  const rows = await db.query<{ bytes: number }>({
    name: 'longest-path',
    text: `select coalesce(max(octet_length(path)), 0) as bytes from content where ${AT_OR_BELOW('path', '$1')}`,
    values: [path],
  });
  return rows[0]?.bytes ?? 0;
}
