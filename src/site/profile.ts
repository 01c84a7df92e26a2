import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';
import { packageFolder } from '../lib/process.ts';
import type { ConfigurationRow } from '../storage/statements/configuration.ts';
import type { TypeDefinition } from '../types/definition.ts';
import { type Config, ConfigError } from './config.ts';
import { KINDS } from './site.ts';

/** Renames types in the rows of a profile, wherever it names them; the old name becomes an alias (docs/profiles.md). */
function renameTypes(rows: ConfigurationRow[], rename: Record<string, string>): ConfigurationRow[] {
  if (Object.keys(rename).length === 0) return rows;
  const nameOf = (id: string): string => (Object.hasOwn(rename, id) ? (rename[id] ?? id) : id);
  return rows.map((row) => {
    if (row.kind === KINDS.type) {
      const type = row.data as TypeDefinition;
      const id = nameOf(type.id);
      const aliases = (type.aliases ?? []).filter((alias) => alias !== id);
      const data: TypeDefinition = {
        ...type,
        id,
        aliases: id === type.id ? aliases : [type.id, ...aliases],
        allowed_content_types: type.allowed_content_types.map(nameOf),
      };
      return { ...row, id, data };
    }
    if (row.kind !== KINDS.setting || !isJsonObject(row.data)) return row;
    const values = Object.entries(row.data).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? nameOf(item) : item)) : value,
    ]);
    return { ...row, data: Object.fromEntries(values) };
  });
}

/** A group that a profile brings. */
type ProfileGroup = { id: string; title: string; description: string; roles: string[] };

/** A profile, read: see docs/profiles.md for its files. */
export type Profile = {
  id: string;
  version: string;
  rows: ConfigurationRow[];
  groups: ProfileGroup[];
  /** Fields of the site root, with its `review_state`. */
  content: JsonObject;
};

type Files = Map<string, unknown>;

/** The folders of profiles, by the names that `PROFILE` knows them by. */
export type ProfileFolders = ReadonlyMap<string, string>;

/** The profiles that come with the program. */
const builtInProfiles = (): ProfileFolders => profilesIn(packageFolder('profiles'));

/** Files of one profile folder by their path inside it. */
function loadFolder(folder: string, prefix = ''): Files {
  const files: Files = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = join(folder, entry.name);
    if (entry.isDirectory())
      for (const [path, data] of loadFolder(location, `${prefix}${entry.name}/`)) files.set(path, data);
    else if (entry.name.endsWith('.json')) files.set(prefix + entry.name, JSON.parse(readFileSync(location, 'utf8')));
  }
  return files;
}

/** The profiles that a site can be made of: those that come with the program, and those of the configuration file. */
export const allProfiles = ({ profiles }: Pick<Config, 'profiles'>): ProfileFolders =>
  new Map([...builtInProfiles(), ...profiles]);

/** The folders in a folder that are profiles, by their names. */
export const profilesIn = (folder: string): ProfileFolders =>
  new Map(
    readdirSync(folder)
      .filter((name) => existsSync(join(folder, name, 'metadata.json')))
      .map((name) => [name, join(folder, name)]),
  );

/** The folder of a profile. Throws ConfigError when there is no profile of this name. */
export function requireProfile(name: string, folders: ProfileFolders): string {
  const folder = folders.get(name);
  if (folder === undefined)
    throw new ConfigError(`There is no profile "${name}". PROFILE must be one of: ${[...folders.keys()].join(', ')}.`);
  return folder;
}

/** The files of a profile over those of the profiles that it extends. */
function collect(
  name: string,
  folders: ProfileFolders,
): { metadata: JsonObject; files: Files; rename: Record<string, string> } {
  const own = loadFolder(requireProfile(name, folders));
  const metadata = own.get('metadata.json') as JsonObject;
  const base = typeof metadata.extends === 'string' ? collect(metadata.extends, folders) : undefined;
  return {
    metadata,
    files: new Map([...(base?.files ?? []), ...own]),
    rename: { ...base?.rename, ...((metadata.rename as Record<string, string> | undefined) ?? {}) },
  };
}

/** Rows of a folder of files, each of which has an `id`. */
const folderRows = (files: Files, folder: string, kind: string): ConfigurationRow[] =>
  [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([, data], position) => ({ kind, id: String((data as JsonObject).id), position, data }));

/** Rows of one file that is an object of entries by their ids. */
const entryRows = (files: Files, file: string, kind: string): ConfigurationRow[] => {
  const entries = files.get(file);
  return isJsonObject(entries)
    ? Object.entries(entries).map(([id, data], position) => ({ kind, id, position, data }))
    : [];
};

/** Rows of a list of entries with a `name`, in a file that is an object. */
const listRows = (files: Files, file: string, key: string, kind: string): ConfigurationRow[] => {
  const entries = files.get(file);
  const list = isJsonObject(entries) && Array.isArray(entries[key]) ? entries[key] : [];
  return list.map((data: JsonObject, position) => ({ kind, id: String(data.name), position, data }));
};

/** Reads a profile by the name of its folder. Throws ConfigError when there is none. */
export function loadProfile(name: string, folders: ProfileFolders = builtInProfiles()): Profile {
  const { metadata, files, rename } = collect(name, folders);
  const roles = (files.get('roles.json') ?? []) as JsonObject[];
  const rows = [
    ...folderRows(files, 'types', KINDS.type),
    ...folderRows(files, 'behaviors', KINDS.behavior),
    ...folderRows(files, 'workflows', KINDS.workflow),
    ...folderRows(files, 'vocabularies', KINDS.vocabulary),
    ...roles.map((data, position) => ({ kind: KINDS.role, id: String(data.id), position, data })),
    ...entryRows(files, 'permissions.json', KINDS.permission),
    ...entryRows(files, 'actions.json', KINDS.action),
    ...entryRows(files, 'settings.json', KINDS.setting),
    ...listRows(files, 'catalog.json', 'indexes', KINDS.index),
    ...listRows(files, 'catalog.json', 'metadata', KINDS.column),
  ];
  return {
    id: name,
    version: String(metadata.version),
    rows: renameTypes(rows, rename),
    groups: (files.get('groups.json') ?? []) as ProfileGroup[],
    content: (files.get('content.json') ?? {}) as JsonObject,
  };
}
