import type { Queryable } from '../database.ts';

/** Columns that a change may set; what is absent stays. */
export type ContentChange = Partial<{
  fields: Record<string, unknown>;
  language: string | null;
  layout: string | null;
  effective: Date | null;
  expires: Date | null;
  modified: Date;
  reviewState: string | null;
  owner: string;
  localRoles: Record<string, string[]>;
  inheritRoles: boolean;
  localPermissions: object | null;
  constrains: object | null;
  lock: object | null;
  translationGroup: string | null;
}>;

const COLUMNS: Record<keyof ContentChange, { column: string; json?: true }> = {
  fields: { column: 'fields', json: true },
  language: { column: 'language' },
  layout: { column: 'layout' },
  effective: { column: 'effective' },
  expires: { column: 'expires' },
  modified: { column: 'modified' },
  reviewState: { column: 'review_state' },
  owner: { column: 'owner' },
  localRoles: { column: 'local_roles', json: true },
  inheritRoles: { column: 'inherit_roles' },
  localPermissions: { column: 'local_permissions', json: true },
  constrains: { column: 'constrains', json: true },
  lock: { column: 'lock', json: true },
  translationGroup: { column: 'translation_group' },
};

/** Changes the given columns of one object in one statement. `fields` replaces all field values. */
export async function updateContent(db: Queryable, oid: number, change: ContentChange): Promise<void> {
  const sets: string[] = [];
  const values: unknown[] = [oid];
  for (const [key, { column, json }] of Object.entries(COLUMNS)) {
    const value = change[key as keyof ContentChange];
    if (value === undefined) continue;
    values.push(json && value !== null ? JSON.stringify(value) : value);
    sets.push(`${column} = $${values.length}${json ? '::jsonb' : ''}`);
  }
  if (sets.length > 0) await db.query({ text: `update content set ${sets.join(', ')} where oid = $1`, values });
}
