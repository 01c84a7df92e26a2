import { NODE_COLUMNS, type Queryable, type TreeNode, UNPACKED } from '#core';

/** An object that was on the site before the import. */
export type PresentObject = { oid: number; uid: string; path: string; translationGroup: string | null };

const SELECT = 'select oid, uid, path, translation_group as "translationGroup" from content';

/** Returns the objects that have one of the UIDs. */
export const presentUids = (db: Queryable, uids: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-uids', text: `${SELECT} where uid = any($1)`, values: [uids] });

/** Returns the objects at the paths. */
export const presentPaths = (db: Queryable, paths: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-paths', text: `${SELECT} where path = any($1)`, values: [paths] });

/** Returns the objects at the paths with the columns that their security and their children depend on. */
export const nodesAt = (db: Queryable, paths: string[]): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'nodes-at',
    text: `select ${NODE_COLUMNS} from content c ${UNPACKED} where c.path = any($1)`,
    values: [paths],
  });

/** Returns the languages of the members of groups of translations. */
export const groupLanguages = (
  db: Queryable,
  groups: string[],
): Promise<{ group: string; language: string | null }[]> =>
  db.query({
    name: 'group-languages',
    text: 'select translation_group as "group", language from content where translation_group = any($1)',
    values: [groups],
  });

/**
 * Returns for each of `parents` the last position of the children that were there before the import of `source` began:
 * those older than its first imported child. An interruption does not change it, whatever was added meanwhile.
 */
export async function lastPlacesBefore(db: Queryable, source: string, parents: number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ parent: number; last: number }>({
    name: 'last-places-before',
    text: `with own as (
        select c.parent, min(c.oid) as first from import_progress p join content c on c.oid = p.content
        where p.source = $1 and c.parent = any($2) group by c.parent
      )
      select c.parent, max(c.position) as last from content c left join own using (parent)
      where c.parent = any($2) and (own.first is null or c.oid < own.first) group by c.parent`,
    values: [source, parents],
  });
  return new Map(rows.map(({ parent, last }) => [parent, last]));
}

/** The columns that an import sets at the site root. */
type RootValues = {
  uid: string;
  reviewState: string | null;
  language: string | null;
  layout: string | null;
  /** Null leaves the date unchanged. */
  created: Date | null;
  modified: Date;
  effective: Date | null;
  expires: Date | null;
  localRoles: Record<string, string[]>;
  inheritRoles: boolean;
  localPermissions: object | null;
  constrains: object | null;
  defaultPage: string | null;
  fields: Record<string, unknown>;
};

/** True when neither a user nor an import has changed the root since the site was created. */
const UNTOUCHED = `c.parent is null and c.modified = c.created and not exists (select 1 from import_progress p where p.content = c.oid)`;

/** Returns whether the site root is untouched, and whether anything refers to it by its UID. */
export async function rootState(db: Queryable): Promise<{ untouched: boolean; referred: boolean }> {
  const [row] = await db.query<{ untouched: boolean; referred: boolean }>({
    text: `select ${UNTOUCHED} as untouched, exists (select 1 from reference r where r.target = c.uid) as referred
      from content c where c.parent is null`,
  });
  return row ?? { untouched: false, referred: false };
}

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Sets columns of the site root if nobody has changed it since it was created. Returns whether it did. */
export async function fillUntouchedRoot(db: Queryable, oid: number, values: RootValues): Promise<boolean> {
  const rows = await db.query({
    text: `update content c set uid = $2, review_state = $3, language = $4, layout = $5, created = coalesce($6, c.created), modified = $7, effective = $8,
        expires = $9, local_roles = $10::jsonb, inherit_roles = $11, local_permissions = $12::jsonb, constrains = $13::jsonb,
        default_page = $14, fields = $15::jsonb
      where c.oid = $1 and ${UNTOUCHED} returning c.oid`,
    values: [
      oid,
      values.uid,
      values.reviewState,
      values.language,
      values.layout,
      values.created,
      values.modified,
      values.effective,
      values.expires,
      json(values.localRoles),
      values.inheritRoles,
      json(values.localPermissions),
      json(values.constrains),
      values.defaultPage,
      JSON.stringify(values.fields),
    ],
  });
  return rows.length > 0;
}

/** Gives a field of an object a value if it has none. Returns whether it did. */
export async function fillEmptyField(
  db: Queryable,
  oid: number,
  { field, value }: { field: string; value: object },
): Promise<boolean> {
  const rows = await db.query({
    name: 'fill-empty-field',
    text: `update content set fields = jsonb_set(fields, array[$2::text], $3::jsonb)
      where oid = $1 and coalesce(fields->$2::text, 'null') = 'null' returning oid`,
    values: [oid, field, JSON.stringify(value)],
  });
  return rows.length > 0;
}

/** An old address of an export, with an object as `target`, or any other address as `targetUrl`. */
export type NewRedirect = { path: string; target: number | null; targetUrl: string | null };

/** Inserts old addresses. Returns those that were free: neither content nor another old address has the path. */
export async function insertRedirects(db: Queryable, redirects: readonly NewRedirect[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'insert-redirects',
    text: `insert into redirect (path, target, target_url, manual)
      select n.path, n.target, n.target_url, true from unnest($1::text[], $2::bigint[], $3::text[]) n(path, target, target_url)
      where not exists (select 1 from content c where c.path = n.path)
      on conflict do nothing returning path`,
    values: [
      redirects.map(({ path }) => path),
      redirects.map(({ target }) => target),
      redirects.map(({ targetUrl }) => targetUrl),
    ],
  });
  return new Set(rows.map(({ path }) => path));
}
