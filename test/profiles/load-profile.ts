import { existsSync, readdirSync, readFileSync } from 'node:fs';

const PROFILES = new URL('../../profiles/', import.meta.url);

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The files of a profile by their path in it, with those of the profile that it extends. */
export type Profile = { metadata: JsonObject; files: Map<string, Json> };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value as an object. Throws for any other value, with the name of the file. */
export function objectOf(value: Json | undefined, where: string): JsonObject {
  if (!isObject(value)) throw new Error(`${where} is not an object`);
  return value;
}

/** Returns a value as a list of strings. Throws for any other value. */
export function stringsOf(value: Json | undefined, where: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${where} is not a list`);
  return value.map((item) => {
    if (typeof item !== 'string') throw new Error(`${where} holds ${JSON.stringify(item)}, which is not a string`);
    return item;
  });
}

function loadFolder(folder: URL, prefix = ''): Map<string, Json> {
  const files = new Map<string, Json>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Upgrade steps have a different format, which the server checks when it loads the profile.
    if (entry.name === 'upgrades') continue;
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      for (const [name, data] of loadFolder(new URL(`${entry.name}/`, folder), `${path}/`)) files.set(name, data);
    } else {
      files.set(path, JSON.parse(readFileSync(new URL(entry.name, folder), 'utf8')));
    }
  }
  return files;
}

/** Names of all profiles that come with the server. */
export const profileNames = (): string[] =>
  readdirSync(PROFILES).filter((name) => existsSync(new URL(`${name}/metadata.json`, PROFILES)));

/** Merges a file with the one of the same path in the extended profile: some files contain only the differences. */
function over(path: string, own: Json, base: Json | undefined): Json {
  if (['actions.json', 'permissions.json'].includes(path))
    return { ...objectOf(base ?? {}, path), ...objectOf(own, path) };
  if (path !== 'settings.json') return own;
  const panels = objectOf(base ?? {}, path);
  const changed = Object.entries(objectOf(own, path)).map(([id, values]): [string, Json] => [
    id,
    { ...objectOf(panels[id] ?? {}, id), ...objectOf(values, id) },
  ]);
  return { ...panels, ...Object.fromEntries(changed) };
}

/** Loads a profile: its own files, and those of the profile that it extends unless they have the same path. */
export function loadProfile(name: string): Profile {
  const own = loadFolder(new URL(`${name}/`, PROFILES));
  const metadata = objectOf(own.get('metadata.json'), `${name}/metadata.json`);
  const base = typeof metadata.extends === 'string' ? loadProfile(metadata.extends).files : new Map<string, Json>();
  const laid = [...own].map(([path, data]): [string, Json] => [path, over(path, data, base.get(path))]);
  return { metadata, files: new Map([...base, ...laid]) };
}

/** The objects of one folder of a profile, by file name without its ending. */
export function folderOf(profile: Profile, folder: string): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [path, data] of profile.files) {
    if (path.startsWith(`${folder}/`)) found.set(path.slice(folder.length + 1, -'.json'.length), objectOf(data, path));
  }
  return found;
}
