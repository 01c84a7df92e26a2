import {
  type ConfigurationRow,
  GROUP,
  type Kernel,
  KINDS,
  loadConfiguration,
  PROFILE_TABLES,
  profileTables,
  RULE,
  type Site,
  type Transaction,
} from '#core';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';

/** The files of a set-up by their paths in the folder, and what is not in them. */
export type SetupFiles = { files: Map<string, unknown>; notes: string[] };

/** The id in the `metadata.json` of each exported set-up. */
export const SETUP_ID = 'setup';

/** Folders with a file for each piece, files with an object of pieces, and files with a list of them: as profiles have them. */
const FOLDERS = new Map([
  [KINDS.type, 'types'],
  [KINDS.behavior, 'behaviors'],
  [KINDS.workflow, 'workflows'],
  [KINDS.vocabulary, 'vocabularies'],
]);
const TABLES = new Map([
  [KINDS.permission, 'permissions.json'],
  [KINDS.action, 'actions.json'],
  [KINDS.setting, 'settings.json'],
]);
const LISTS = new Map([
  [KINDS.role, 'roles.json'],
  [GROUP, 'groups.json'],
  [RULE, 'rules.json'],
  [KINDS.loginProvider, 'login-providers.json'],
]);

/** A free name for the file of a piece: its id, as far as file systems take it. */
function fileName(folder: string, id: string, taken: ReadonlyMap<string, unknown>): string {
  const name =
    id
      .replace(/[^\p{L}\p{N} ._-]/gu, '_')
      .replace(/^\./, '_')
      .slice(0, 100) || '_';
  const names = [name, ...Array.from({ length: taken.size + 1 }, (_, i) => `${name}-${i + 2}`)];
  const free = names.find((one) => !taken.has(`${folder}/${one}.json`));
  return `${folder}/${free ?? name}.json`;
}

/** The settings of a panel that a file may have: those that there are, without passwords and the like. */
function settingsOf(kernel: Pick<Kernel, 'panels'>, { id, data }: ConfigurationRow, notes: string[]): JsonObject {
  const panel = kernel.panels.get(id);
  const known = new Map((panel?.settings ?? []).map((setting) => [setting.name, setting]));
  const secret = (name: string): boolean => known.get(name)?.secret === true;
  const values = isJsonObject(data) ? data : {};
  for (const name of Object.keys(values).filter((one) => secret(one) && values[one] !== ''))
    notes.push(`Left out: the setting ${id}.${name}, which is secret. Set it where the set-up is imported.`);
  return omit(values, (name) => !known.has(name) || secret(name));
}

/** The pieces of the site that are its own: not those of add-ons, which bring them. */
function ownRows({ addons }: Site, rows: readonly ConfigurationRow[], notes: string[]): ConfigurationRow[] {
  const brought = new Set<string>();
  for (const [id, addon] of addons) {
    notes.push(`Left out: what the add-on "${id}" brings. Install it first where the set-up is imported.`);
    for (const row of addon.rows) brought.add(`${row.kind} ${row.id}`);
  }
  return rows.filter(({ kind, id }) => !brought.has(`${kind} ${id}`));
}

/** A list of pieces at a path, which begins when the first one comes. */
function listAt(files: Map<string, unknown>, path: string): unknown[] {
  const known = files.get(path);
  if (Array.isArray(known)) return known;
  const made: unknown[] = [];
  files.set(path, made);
  return made;
}

/** An object of pieces at a path. */
function tableAt(files: Map<string, unknown>, path: string): JsonObject {
  const known = files.get(path);
  if (isJsonObject(known)) return known;
  const made: JsonObject = {};
  files.set(path, made);
  return made;
}

/** An object of lists at a path, the list of one name. */
function listIn(files: Map<string, unknown>, path: string, name: string): unknown[] {
  const table = tableAt(files, path);
  const known = table[name];
  if (Array.isArray(known)) return known;
  const made: unknown[] = [];
  table[name] = made;
  return made;
}

/**
 * The set-up of a site as the files of a profile: types, behaviors, workflows, vocabularies, roles, permissions, groups, actions,
 * settings, the catalog, content rules. Content, users and secrets are not in it, nor what add-ons have brought.
 */
export async function setupFiles(kernel: Kernel, tx: Transaction, title: string): Promise<SetupFiles> {
  const { version, rows } = await loadConfiguration(tx);
  const site = await kernel.sites.at(version, tx);
  const notes: string[] = [];
  // A kind without pieces is named, too: where the set-up goes, the last piece of the kind goes with it.
  const order: Record<string, string[]> = Object.fromEntries([...FOLDERS.values()].map((folder) => [folder, []]));
  const files = new Map<string, unknown>([
    ['metadata.json', { id: SETUP_ID, title, version: '1000', order }],
    ...[...TABLES.values()].map((path): [string, unknown] => [path, {}]),
    ...[...LISTS.values()].map((path): [string, unknown] => [path, []]),
    ['catalog.json', { indexes: [], metadata: [] }],
  ]);
  const kept: ConfigurationRow[] = [];
  for (const table of kernel.slots.get(PROFILE_TABLES).values()) {
    const ids = (await table.ids?.(tx)) ?? [];
    kept.push(
      ...(await profileTables.loadTableRows(
        kernel,
        tx,
        ids.map((id) => ({ kind: table.kind, id })),
      )),
    );
  }
  for (const row of [...ownRows(site, rows, notes), ...kept]) {
    const { kind, id, data } = row;
    const [folder, table, list] = [FOLDERS.get(kind), TABLES.get(kind), LISTS.get(kind)];
    if (folder !== undefined) {
      order[folder] = [...(order[folder] ?? []), id];
      files.set(fileName(folder, id, files), isJsonObject(data) ? omit(data, (key) => key === 'retired_fields') : data);
    } else if (kind === KINDS.setting) {
      const settings = settingsOf(kernel, row, notes);
      if (Object.keys(settings).length > 0) tableAt(files, 'settings.json')[id] = settings;
    } else if (table !== undefined) tableAt(files, table)[id] = data;
    else if (list !== undefined) listAt(files, list).push(data);
    else if (kind === KINDS.index) listIn(files, 'catalog.json', 'indexes').push(data);
    else if (kind === KINDS.column) listIn(files, 'catalog.json', 'metadata').push(data);
  }
  return { files, notes };
}
