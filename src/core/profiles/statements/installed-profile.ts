import type { Queryable } from '../../../database/database.ts';
import type { ConfigurationRow } from '../../configuration/statements/configuration.ts';
import type { GroupDefinition } from '../../people/statements/group-rows.ts';

/** A piece of a profile as it was installed, with the file that it was from. */
export type InstalledRow = ConfigurationRow & { file: string };

/** Loads the rows of the profile as last applied to the site; no rows on a site that only releases without upgrades have opened. */
export const loadInstalledProfile = (db: Queryable): Promise<InstalledRow[]> =>
  db.query<InstalledRow>({
    name: 'load-installed-profile',
    text: 'select kind, id, position, data, file from installed_profile order by kind, position, id',
  });

/** Loads the rows of the last import of a set-up; no rows before the first one. */
export const loadImportedSetup = (db: Queryable): Promise<InstalledRow[]> =>
  db.query<InstalledRow>({
    name: 'load-imported-setup',
    text: 'select kind, id, position, data, file from imported_setup order by kind, position, id',
  });

async function replaceRows(
  tx: Queryable,
  table: 'installed_profile' | 'imported_setup',
  rows: readonly InstalledRow[],
): Promise<void> {
  await tx.query({ name: `clear-${table}`, text: `delete from ${table}` });
  await tx.query({
    name: `write-${table}`,
    text: `insert into ${table} (kind, id, position, data, file)
      select kind, id, position, data::jsonb, file
      from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[]) n(kind, id, position, data, file)`,
    values: [
      rows.map(({ kind }) => kind),
      rows.map(({ id }) => id),
      rows.map(({ position }) => position),
      rows.map(({ data }) => JSON.stringify(data)),
      rows.map(({ file }) => file),
    ],
  });
}

/** Replaces the stored rows of the installed profile. */
export const writeInstalledProfile = (tx: Queryable, rows: readonly InstalledRow[]): Promise<void> =>
  replaceRows(tx, 'installed_profile', rows);

/** Replaces the stored rows of the last import of a set-up. */
export const writeImportedSetup = (tx: Queryable, rows: readonly InstalledRow[]): Promise<void> =>
  replaceRows(tx, 'imported_setup', rows);

/** The ids of all groups, in their order. */
export async function groupIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'group-ids',
    text: 'select id from principal_group order by id',
  });
  return rows.map(({ id }) => id);
}

/** The existing groups of these ids. */
export const loadGroupDefinitions = (db: Queryable, ids: readonly string[]): Promise<GroupDefinition[]> =>
  db.query<GroupDefinition>({
    name: 'load-group-definitions',
    text: 'select id, title, description, roles from principal_group where id = any($1)',
    values: [ids],
  });

/** The ids of these groups that have members. */
export async function groupsWithMembers(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'groups-with-members',
    text: 'select distinct group_id as id from group_member where group_id = any($1)',
    values: [ids],
  });
  return rows.map(({ id }) => id);
}
