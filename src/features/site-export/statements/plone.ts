import { contentSql, type Queryable, references } from '#core';
import { loadBatches } from '#lib/batches';

/** An entry of a workflow history, in the format of plone.exportimport except its time. */
export type HistoryRow = {
  content: number;
  workflow: string;
  action: string | null;
  actor: string;
  comments: string;
  review_state: string;
  time: Date;
};

/** The workflow histories of objects, the oldest entry first. */
export const historiesOf = (db: Queryable, oids: readonly number[]): Promise<HistoryRow[]> =>
  db.query<HistoryRow>({
    name: 'export-histories',
    text: `select content, workflow, action, actor, comments, review_state, at as time
      from workflow_history where content = any($1) order by content, id`,
    values: [oids],
  });

export type VersionRow = { number: number; at: Date; actor: string; note: string; replaced: Record<string, unknown> };

/** Selects the objects that have versions. */
export async function versioned(db: Queryable, oids: readonly number[]): Promise<Set<number>> {
  const rows = await db.query<{ content: number }>({
    name: 'export-versioned',
    text: 'select distinct content from version where content = any($1)',
    values: [oids],
  });
  return new Set(rows.map(({ content }) => content));
}

/** Number of versions that are loaded at once, as each may have all values of its object. */
const VERSIONS = 20;

/** The versions of an object, the newest first, each with the values that the next version replaced. */
export async function* versionRows(db: Queryable, content: number): AsyncGenerator<VersionRow> {
  const load = (last: VersionRow | undefined) =>
    db.query<VersionRow>({
      name: 'export-versions',
      text: `select number, at, actor, note, replaced from version where content = $1 and number < $2 order by number desc limit ${VERSIONS}`,
      values: [content, last?.number ?? 2 ** 31 - 1],
    });
  for await (const rows of loadBatches(VERSIONS, load)) yield* rows;
}

export type ParentRow = { oid: number; uid: string; path: string; type: string; title: string; description: string };

/** Loads the data of containers that their objects repeat. */
export const parentsOf = (db: Queryable, oids: readonly number[]): Promise<ParentRow[]> =>
  db.query<ParentRow>({
    name: 'export-parents',
    text: `select oid, uid, path, type, coalesce(fields->>'title', '') as title, coalesce(fields->>'description', '') as description
      from content where oid = any($1)`,
    values: [oids],
  });

/** Columns of content that plone.exportimport stores outside of the objects. */
export type SideRow = {
  uid: string;
  path: string;
  localRoles: Record<string, string[]>;
  inherits: boolean;
  localPermissions: object | null;
  defaultPage: string | null;
  defaultPageUid: string | null;
};

/** Rows of one statement. */
export const BATCH = 500;

/** Loads the next rows until there are no more; `next` gets the last row before. */
export async function* batches<R extends object>(next: (after: R | undefined) => Promise<R[]>): AsyncGenerator<R> {
  for await (const rows of loadBatches(BATCH, next)) yield* rows;
}

/** The objects at or below `path`, containers first. */
export const sideRows = (db: Queryable, path: string): AsyncGenerator<SideRow> =>
  batches((after) =>
    db.query<SideRow>({
      name: 'export-side-rows',
      text: `select c.uid, c.path, c.local_roles as "localRoles", c.inherit_roles as inherits, c.local_permissions as "localPermissions",
          c.default_page as "defaultPage", d.uid as "defaultPageUid"
        from content c left join content d on d.parent = c.oid and d.name = c.default_page
        where ${contentSql.AT_OR_BELOW('c.path', '$1')} and c.path > $2 order by c.path limit ${BATCH}`,
      values: [path, after?.path ?? ''],
    }),
  );

export type OrderedRow = { oid: number; uid: string; parent: number; position: string };

/** The objects below `path`, grouped by container, in their order. */
export const orderedRows = (db: Queryable, path: string): AsyncGenerator<OrderedRow> =>
  batches((after) =>
    db.query<OrderedRow>({
      name: 'export-ordered-rows',
      text: `select c.oid, c.uid, c.parent, c.position::text as position from content c
        where c.path <> '/' and ${contentSql.AT_OR_BELOW('c.path', '$1')} and (c.parent, c.position, c.oid) > ($2, $3::float8, $4)
        order by c.parent, c.position, c.oid limit ${BATCH}`,
      values: [path, after?.parent ?? 0, after?.position ?? '-Infinity', after?.oid ?? 0],
    }),
  );

export type RelationRow = {
  source: number;
  position: number;
  from_uuid: string;
  to_uuid: string;
  relationship: string;
};

/** Relations of content at or below `path` to existing content. */
export const relationRows = (db: Queryable, path: string): AsyncGenerator<RelationRow> =>
  batches((after) =>
    db.query<RelationRow>({
      name: 'export-relation-rows',
      text: `select r.source, r.position, c.uid as from_uuid, r.target as to_uuid, r.relation as relationship
        from reference r join content c on c.oid = r.source
        where r.relation <> all('{${references.LINKS},${references.CLOSED_LINKS}}') and exists (select 1 from content t where t.uid = r.target)
          and ${contentSql.AT_OR_BELOW('c.path', '$1')} and (r.source, r.position) > ($2, $3) order by r.source, r.position limit ${BATCH}`,
      values: [path, after?.source ?? 0, after?.position ?? -1],
    }),
  );

export type TranslationRow = { group: string; uids: string[]; languages: string[] };

/** Groups of translations with their content at or below `path`, at least two objects each. */
export const translationRows = (db: Queryable, path: string): AsyncGenerator<TranslationRow> =>
  batches((after) =>
    db.query<TranslationRow>({
      name: 'export-translation-rows',
      text: `select c.translation_group as "group", array_agg(c.uid order by c.oid) as uids, array_agg(coalesce(c.language, '') order by c.oid) as languages
        from content c where c.translation_group > $2 and ${contentSql.AT_OR_BELOW('c.path', '$1')}
        group by c.translation_group having count(*) > 1 order by c.translation_group limit ${BATCH}`,
      values: [path, after?.group ?? ''],
    }),
  );

export type RedirectRow = { path: string; target: string };

/** Old addresses with their targets: a path, or an address elsewhere; for a part only addresses of content at or below `path`. */
export const redirectRows = (db: Queryable, path: string): AsyncGenerator<RedirectRow> =>
  batches((after) =>
    db.query<RedirectRow>({
      name: 'export-redirect-rows',
      text: `select r.path, coalesce(c.path, r.target_url) as target from redirect r left join content c on c.oid = r.target
        where coalesce(c.path, r.target_url) is not null and ($1 = '/' or ${contentSql.AT_OR_BELOW('c.path', '$1')}) and r.path > $2
        order by r.path limit ${BATCH}`,
      values: [path, after?.path ?? ''],
    }),
  );

export type MemberRow = {
  id: string;
  login: string;
  password: string | null;
  fullname: string;
  email: string;
  roles: string[];
  groups: string[];
  properties: Record<string, unknown>;
  portrait: unknown;
};

/** All users with their direct groups. */
export const memberRows = (db: Queryable): AsyncGenerator<MemberRow> =>
  batches((after) =>
    db.query<MemberRow>({
      name: 'export-member-rows',
      text: `select a.id, a.login, a.password, a.fullname, a.email, a.roles, a.properties, a.portrait,
          array(select m.group_id from group_member m where m.member_id = a.id and not m.is_group order by m.group_id) as groups
        from account a where a.id > $1 order by a.id limit ${BATCH}`,
      values: [after?.id ?? ''],
    }),
  );

export type GroupRow = {
  id: string;
  title: string;
  description: string;
  email: string;
  roles: string[];
  groups: string[];
  principals: string[];
};

/** All groups with their direct groups and members. */
export const groupRows = (db: Queryable): AsyncGenerator<GroupRow> =>
  batches((after) =>
    db.query<GroupRow>({
      name: 'export-group-rows',
      text: `select g.id, g.title, g.description, g.email, g.roles,
          array(select m.group_id from group_member m where m.member_id = g.id and m.is_group order by m.group_id) as groups,
          array(select m.member_id from group_member m where m.group_id = g.id order by m.member_id) as principals
        from principal_group g where g.id > $1 order by g.id limit ${BATCH}`,
      values: [after?.id ?? ''],
    }),
  );

/** The types of content at or below `path`. */
export async function typesBelow(db: Queryable, path: string): Promise<string[]> {
  const rows = await db.query<{ type: string }>({
    name: 'export-types',
    text: `select distinct c.type from content c where ${contentSql.AT_OR_BELOW('c.path', '$1')} order by 1`,
    values: [path],
  });
  return rows.map(({ type }) => type);
}
