import type { Queryable } from '../database.ts';

/** Columns of a new object. Dates and names as in `ContentObject`. */
export type NewContent = {
  uid: string;
  parent: number | null;
  name: string;
  path: string;
  type: string;
  reviewState: string | null;
  owner: string;
  language: string | null;
  layout: string | null;
  created: Date;
  modified: Date;
  effective: Date | null;
  expires: Date | null;
  localRoles: Record<string, string[]>;
  inheritRoles: boolean;
  localPermissions: Record<string, { roles: string[]; acquire: boolean }> | null;
  constrains: object | null;
  defaultPage: string | null;
  translationGroup: string | null;
  fields: Record<string, unknown>;
  /** Order in the container; behind all others unless given. */
  position?: number;
};

const TEXT = `insert into content (uid, parent, name, path, position, type, review_state, owner, language, layout, created, modified,
    effective, expires, local_roles, inherit_roles, local_permissions, constrains, default_page, translation_group, fields)
  values ($1, $2, $3, $4, coalesce($5::float8, (select max(position) + 1 from content where parent = $2), 1), $6, $7, $8, $9, $10, $11, $12,
    $13, $14, $15::jsonb, $16, $17::jsonb, $18::jsonb, $19, $20, $21::jsonb)
  on conflict do nothing
  returning oid`;

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Inserts an object behind its siblings. Answers its oid, or undefined when its name, path or UID is taken. */
export async function insertContent(db: Queryable, row: NewContent): Promise<number | undefined> {
  const rows = await db.query<{ oid: number }>({
    name: 'insert-content',
    text: TEXT,
    values: [
      row.uid,
      row.parent,
      row.name,
      row.path,
      row.position ?? null,
      row.type,
      row.reviewState,
      row.owner,
      row.language,
      row.layout,
      row.created,
      row.modified,
      row.effective,
      row.expires,
      json(row.localRoles),
      row.inheritRoles,
      json(row.localPermissions),
      json(row.constrains),
      row.defaultPage,
      row.translationGroup,
      JSON.stringify(row.fields),
    ],
  });
  return rows[0]?.oid;
}
