import { configuration, type Kernel, profileFiles, profileTables, type Site, type Transaction } from '#core';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';

/** The files of a set-up by their paths in the folder, and notes about missing parts. */
export type SetupFiles = { files: Map<string, unknown>; notes: string[] };

/** The id in the `metadata.json` of each exported set-up. */
export const SETUP_ID = 'setup';

/** The settings of a panel for a file: the existing settings without secrets. */
function settingsOf(kernel: Pick<Kernel, 'panels'>, { id, data }: configuration.Row, notes: string[]): JsonObject {
  const panel = kernel.panels.get(id);
  const known = new Map((panel?.settings ?? []).map((setting) => [setting.name, setting]));
  const secret = (name: string): boolean => known.get(name)?.secret === true;
  const values = isJsonObject(data) ? data : {};
  for (const name of Object.keys(values).filter((one) => secret(one) && values[one] !== ''))
    notes.push(`Left out: the setting ${id}.${name}, which is secret. Set it where the set-up is imported.`);
  return omit(values, (name) => !known.has(name) || secret(name));
}

/** The pieces of the site that do not belong to add-ons. */
function ownRows({ addons }: Site, rows: readonly configuration.Row[], notes: string[]): configuration.Row[] {
  const brought = new Set<string>();
  for (const [id, addon] of addons) {
    notes.push(`Left out: what the add-on "${id}" brings. Install it first where the set-up is imported.`);
    for (const row of addon.rows) brought.add(`${row.kind} ${row.id}`);
  }
  return rows.filter(({ kind, id }) => !brought.has(`${kind} ${id}`));
}

/**
 * The set-up of a site as the files of a profile: types, behaviors, workflows, vocabularies, roles, permissions, groups, actions, settings, the
 * catalog, content rules. Content, users, secrets and pieces of add-ons are left out.
 */
export async function setupFiles(kernel: Kernel, tx: Transaction, title: string): Promise<SetupFiles> {
  const { version, rows } = await configuration.load(tx);
  const site = await kernel.sites.at(version, tx);
  const notes: string[] = [];
  const kept = await profileTables.loadTableRows(kernel, tx);
  const pieces = [...ownRows(site, rows, notes), ...kept].flatMap((row) => {
    if (row.kind !== configuration.KINDS.setting) return [row];
    const data = settingsOf(kernel, row, notes);
    return Object.keys(data).length > 0 ? [{ ...row, data }] : [];
  });
  const files = profileFiles.filesOf({ id: SETUP_ID, title, version: '1000' }, pieces);
  return { files, notes };
}
