import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { packageFolder } from '../../../lib/process/process.ts';
import type { Config } from '../environment/config.ts';
import { ConfigError } from '../environment/setting-names.ts';
import { KINDS } from '../site/site.ts';
import { fileEntries, type ProfileRow, requireProfileRows } from './profile-rows.ts';
import { ProfileBroken } from './profile-schema.ts';
import { isListChange, type ProfileStep, profileSteps } from './profile-step.ts';

/** Replaces names of types in a list, or in a change of a list. */
function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  const rename = (item: unknown) => (typeof item === 'string' ? nameOf(item) : item);
  if (Array.isArray(value)) return value.map(rename);
  if (!isListChange(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, items]) => [key, items.map(rename)]));
}

/** Renames types at every place in the entries of a profile; the old name becomes an alias (docs/profiles.md). */
function renameTypes<R extends { kind: string; id: string; data: unknown }>(
  rows: readonly R[],
  rename: Readonly<Record<string, string>>,
  { whole }: { whole: boolean },
): R[] {
  if (Object.keys(rename).length === 0) return [...rows];
  const nameOf = (id: string): string => (Object.hasOwn(rename, id) ? (rename[id] ?? id) : id);
  return rows.map((row) => {
    if (!isJsonObject(row.data)) return row;
    if (row.kind === KINDS.setting)
      return {
        ...row,
        data: Object.fromEntries(Object.entries(row.data).map(([name, value]) => [name, renamed(value, nameOf)])),
      };
    if (row.kind !== KINDS.type) return row;
    const id = nameOf(row.id);
    const { allowed_content_types: allowed, aliases, ...type } = row.data;
    const known = (Array.isArray(aliases) ? aliases : []).filter((alias) => alias !== id);
    const data = {
      ...type,
      id,
      ...(allowed !== undefined && { allowed_content_types: renamed(allowed, nameOf) }),
      ...((whole || row.data.whole === true || aliases !== undefined) && {
        aliases: id === row.id ? known : [row.id, ...known],
      }),
    };
    return { ...row, id, data };
  });
}

/** The files of a profile with a version, as rows. */
export type Release = { version: string; rows: readonly ProfileRow[] };

/** A loaded profile; see docs/profiles.md for its files. */
export type Profile = {
  id: string;
  version: string;
  /** All of its pieces, groups included. */
  rows: ProfileRow[];
  /** Its changes by version, the lowest version first. */
  steps: ProfileStep[];
  /** Loads the pieces of its earlier versions, the lowest version first. */
  loadReleases(): Release[];
  /** Fields of the site root, with its `review_state`. */
  content: JsonObject;
};

/** The folders of profiles, by their names in the setting `PROFILE`. */
export type ProfileFolders = ReadonlyMap<string, string>;

/** The built-in profiles. */
const builtInProfiles = (): ProfileFolders => profilesIn(packageFolder('profiles'));

function parseFile(location: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(location, 'utf8'));
  } catch (error) {
    throw new ProfileBroken(`${name}: ${messageOf(error)}`);
  }
}

/** Loads the JSON files of a folder by their paths inside it. Throws ProfileBroken for a file that is no JSON. */
export function loadFiles(folder: string, prefix = ''): Map<string, unknown> {
  const files = new Map<string, unknown>();
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // Hidden files of git and of editors are left out.
    if (entry.name.startsWith('.')) continue;
    const location = join(folder, entry.name);
    if (entry.isDirectory())
      for (const [path, data] of loadFiles(location, `${prefix}${entry.name}/`)) files.set(path, data);
    else if (entry.name.endsWith('.json')) files.set(prefix + entry.name, parseFile(location, prefix + entry.name));
  }
  return files;
}

/** The profiles from which a site can be made: built-in profiles, and profiles of the configuration file. */
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

/**
 * Loads the pieces of an earlier version of a profile from `upgrades/<version>/installed.json`, an object of its files by their
 * paths. Undefined if the file does not exist.
 */
export function loadReleased(name: string, version: string, folders: ProfileFolders): ProfileRow[] | undefined {
  const released = collectReleased(name, version, folders);
  return released && renameTypes(fileEntries(released.files), released.rename, { whole: true });
}

function collectReleased(name: string, version: string, folders: ProfileFolders): Collected | undefined {
  const own = loadFiles(requireProfile(name, folders)).get(`upgrades/${version}/installed.json`);
  if (!isJsonObject(own)) return undefined;
  const metadata = requireMetadata(own['metadata.json']);
  const base = typeof metadata.extends === 'string' ? collectReleased(metadata.extends, version, folders) : undefined;
  return over(base, metadata, new Map(Object.entries(own)));
}

/** The releases of a profile whose files are in `installed.json`, the lowest first. */
const releases = (name: string, files: Collected['files'], folders: ProfileFolders): Release[] =>
  [...files.keys()]
    .flatMap((path) => /^upgrades\/(\d{1,18})\/installed\.json$/.exec(path)?.[1] ?? [])
    .sort((a, b) => Number(BigInt(a) - BigInt(b)))
    .flatMap((version) => {
      const rows = loadReleased(name, version, folders);
      return rows ? [{ version, rows }] : [];
    });

const METADATA = new Set(['id', 'title', 'description', 'version', 'extends', 'rename', 'order']);

/** The `metadata.json` of a profile. Throws ProfileBroken. */
function requireMetadata(data: unknown): JsonObject {
  const unknown = isJsonObject(data) ? Object.keys(data).find((key) => !METADATA.has(key)) : undefined;
  if (unknown !== undefined) throw new ProfileBroken(`metadata.json: "${unknown}" is no key that Canopy knows.`);
  if (!isJsonObject(data) || typeof data.version !== 'string' || !/^\d{1,18}$/.test(data.version))
    throw new ProfileBroken('metadata.json: "version" must be a whole number as text, such as "1000".');
  return data;
}

/** The files of a profile over those of the profiles that it extends. */
function collect(name: string, folders: ProfileFolders): Collected {
  const own = loadFiles(requireProfile(name, folders));
  const metadata = requireMetadata(own.get('metadata.json'));
  return over(typeof metadata.extends === 'string' ? collect(metadata.extends, folders) : undefined, metadata, own);
}

/** Entries of an extending profile in place of those of its base with the same key. */
const byKey = (base: unknown, own: unknown): JsonObject => ({ ...objectOf(base), ...objectOf(own) });

const pickOrder = (metadata: unknown): JsonObject =>
  isJsonObject(metadata) && metadata.order !== undefined ? { order: metadata.order } : {};

/** Files in which an extending profile has only the differences: settings by panel and name, actions by category, permissions. */
const MERGED: ReadonlyMap<string, (base: unknown, own: unknown) => unknown> = new Map([
  // The order of the base counts unless the profile has its own.
  ['metadata.json', (base, own) => ({ ...pickOrder(base), ...objectOf(own) })],
  ['actions.json', byKey],
  ['permissions.json', byKey],
  [
    'settings.json',
    (base: unknown, own: unknown) => {
      const panels = objectOf(base);
      const changed = Object.entries(objectOf(own)).map(([id, values]): [string, JsonObject] => [
        id,
        { ...objectOf(panels[id]), ...objectOf(values) },
      ]);
      return { ...panels, ...Object.fromEntries(changed) };
    },
  ],
]);

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Puts a file of an extending profile over the file of its base: it replaces the file, except for files in `MERGED`. */
const laidOver = (
  [path, own]: [string, unknown],
  base: ReadonlyMap<string, unknown> | undefined,
): [string, unknown] => {
  const merge = base?.has(path) ? MERGED.get(path) : undefined;
  return [path, merge ? merge(base?.get(path), own) : own];
};

/** The files of a profile with the files of the profiles that it extends, and the types to rename at the end. */
type Collected = { metadata: JsonObject; files: Map<string, unknown>; rename: Record<string, string> };

const over = (base: Collected | undefined, metadata: JsonObject, own: ReadonlyMap<string, unknown>): Collected => ({
  metadata,
  files: new Map([...(base?.files ?? []), ...[...own].map((entry) => laidOver(entry, base?.files))]),
  rename: { ...base?.rename, ...((metadata.rename as Record<string, string> | undefined) ?? {}) },
});

/**
 * Loads a profile by the name of its folder. Throws ConfigError for an unknown name, and ProfileBroken, which names the file and
 * the key, for an unusable profile.
 */
export function loadProfile(name: string, folders: ProfileFolders = builtInProfiles()): Profile {
  try {
    const { metadata, files, rename } = collect(name, folders);
    const rows = fileEntries(files);
    requireProfileRows(rows);
    const content = files.get('content.json') ?? {};
    if (!isJsonObject(content)) throw new ProfileBroken('content.json: The file must hold an object.');
    return {
      id: name,
      version: String(metadata.version),
      rows: renameTypes(rows, rename, { whole: true }),
      steps: profileSteps(files).map((step) => ({
        ...step,
        entries: renameTypes(step.entries, rename, { whole: false }),
      })),
      loadReleases: () => releases(name, files, folders),
      content,
    };
  } catch (error) {
    if (error instanceof ProfileBroken)
      throw new ProfileBroken(`The profile "${name}" cannot be used: ${error.message}`);
    throw error;
  }
}
