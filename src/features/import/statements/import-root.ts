import type { Queryable } from '../../../storage/database.ts';

/** What an import sets at the site root. */
export type RootValues = {
  uid: string;
  reviewState: string | null;
  language: string | null;
  layout: string | null;
  /** Null leaves the date as it is. */
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

/** Nobody has changed the root since the site was made, and no import has. */
const UNTOUCHED = `c.parent is null and c.modified = c.created and not exists (select 1 from import_progress p where p.content = c.oid)`;

/** Whether the site root is as the site was made with, and whether anything refers to it by its UID. */
export async function rootState(db: Queryable): Promise<{ untouched: boolean; referred: boolean }> {
  const [row] = await db.query<{ untouched: boolean; referred: boolean }>({
    text: `select ${UNTOUCHED} as untouched, exists (select 1 from reference r where r.target = c.uid) as referred
      from content c where c.parent is null`,
  });
  return row ?? { untouched: false, referred: false };
}

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Gives the site root other values when nobody has changed it since it was made; answers whether it did. */
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
