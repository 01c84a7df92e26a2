import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { KINDS } from '../site/site.ts';
import type { ConfigurationRow } from '../statements/configuration.ts';
import { GROUP, ProfileBroken, RULE, requireProfileRow } from './profile-schema.ts';

/** The files of a profile or an add-on by their paths in it. */
export type Files = ReadonlyMap<string, unknown>;

/** Folders with one piece of configuration in each file. */
export const FOLDERS: Readonly<Record<string, string>> = {
  types: KINDS.type,
  behaviors: KINDS.behavior,
  workflows: KINDS.workflow,
  vocabularies: KINDS.vocabulary,
};

/** Files with an object that has a piece of configuration under each key. */
export const TABLES: Readonly<Record<string, string>> = {
  'permissions.json': KINDS.permission,
  'actions.json': KINDS.action,
  'settings.json': KINDS.setting,
};

/** Files with a list of pieces, each with an `id`. */
export const LISTS: Readonly<Record<string, string>> = {
  'roles.json': KINDS.role,
  'groups.json': GROUP,
  'rules.json': RULE,
  'login-providers.json': KINDS.loginProvider,
};

/** The keys of `catalog.json`; each holds a list of pieces with a `name` each. */
export const CATALOG: Readonly<Record<string, string>> = { indexes: KINDS.index, metadata: KINDS.column };

/** All kinds of pieces in files, by their places. */
export const PIECE_KINDS: Readonly<Record<string, string>> = { ...FOLDERS, ...TABLES, ...LISTS, ...CATALOG };

/** Files beside those of the configuration. */
const OTHER = /^(?:metadata|content)\.json$/;
/** Parts with files of their own: upgrades, importable profiles, and the pieces of an earlier version. */
const PARTS = /^(?:(?:upgrades|profiles)\/|installed\.json$)/;

/** An entry of a file: a piece of configuration in the form of the file. */
export type FileEntry = { file: string; kind: string; id: string; position: number; data: unknown };

const nameOf = (file: string, data: unknown, key: 'id' | 'name'): string => {
  const name = isJsonObject(data) ? data[key] : undefined;
  if (typeof name !== 'string' || name === '') throw new ProfileBroken(`${file}: An entry has no "${key}".`);
  return name;
};

function requireObject(file: string, data: unknown): JsonObject {
  if (!isJsonObject(data)) throw new ProfileBroken(`${file}: The file must hold an object.`);
  return data;
}

function requireList(file: string, data: unknown): unknown[] {
  if (!Array.isArray(data)) throw new ProfileBroken(`${file}: The file must hold a list.`);
  return data;
}

const listEntries = (file: string, kind: string, list: unknown[], key: 'id' | 'name'): FileEntry[] =>
  list.map((data, position) => ({ file, kind, id: nameOf(file, data, key), position, data }));

function catalogEntries(file: string, data: JsonObject): FileEntry[] {
  const unknown = Object.keys(data).find((key) => !Object.hasOwn(CATALOG, key));
  if (unknown !== undefined) throw new ProfileBroken(`${file}: "${unknown}" is no key that Canopy knows.`);
  return Object.entries(CATALOG).flatMap(([key, kind]) => {
    const list = data[key];
    return list === undefined ? [] : listEntries(file, kind, requireList(file, list), 'name');
  });
}

/** Returns the entries of one file; `place` is its path below the folder in which the paths of configuration begin. */
function entriesOf(file: string, place: string, data: unknown): Omit<FileEntry, 'position'>[] | FileEntry[] {
  const [folder = '', ...rest] = place.split('/');
  const single = rest.length === 1 && Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
  if (single !== undefined) return [{ file, kind: single, id: nameOf(file, data, 'id'), data }];
  const table = Object.hasOwn(TABLES, place) ? TABLES[place] : undefined;
  if (table !== undefined)
    return Object.entries(requireObject(file, data)).map(([id, entry], position) => ({
      ...{ file, kind: table, id, position },
      data: entry,
    }));
  const list = Object.hasOwn(LISTS, place) ? LISTS[place] : undefined;
  if (list !== undefined) return listEntries(file, list, requireList(file, data), 'id');
  if (place === 'catalog.json') return catalogEntries(file, requireObject(file, data));
  throw new ProfileBroken(`${file}: Canopy knows no such file.`);
}

/**
 * The kinds whose order the metadata of a profile gives, each with its ids: `order` has lists by the names of folders. Throws ProfileBroken for
 * another form.
 */
export function profileOrder(metadata: unknown): Map<string, readonly string[]> {
  const order = isJsonObject(metadata) ? metadata.order : undefined;
  if (order === undefined) return new Map();
  return new Map(
    Object.entries(requireObject('metadata.json', order)).map(([folder, ids]) => {
      const kind = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
      if (kind === undefined) throw new ProfileBroken(`metadata.json: "${folder}" is no folder that has an order.`);
      const list = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
      if (!Array.isArray(ids) || list.length < ids.length)
        throw new ProfileBroken(`metadata.json: "order.${folder}" must be a list of ids.`);
      return [kind, list];
    }),
  );
}

/**
 * The kinds that the files of a folder cover, also without pieces: by pieces, by the orders of `metadata.json`, and by files with an empty list or
 * object.
 */
export function kindsIn(files: Files): Set<string> {
  const kinds = new Set([...profileOrder(files.get('metadata.json')).keys()]);
  for (const { kind } of fileEntries(files)) kinds.add(kind);
  for (const [file, kind] of [...Object.entries(TABLES), ...Object.entries(LISTS)])
    if (files.has(file)) kinds.add(kind);
  const catalog = files.get('catalog.json');
  for (const [key, kind] of Object.entries(CATALOG)) if (isJsonObject(catalog) && key in catalog) kinds.add(kind);
  return kinds;
}

/** Says if a path in a folder is a file with pieces of configuration, or the file with their metadata. */
export function isPieceFile(path: string): boolean {
  const [folder = '', name = '', ...rest] = path.split('/');
  if (name !== '') return rest.length === 0 && Object.hasOwn(FOLDERS, folder) && name.endsWith('.json');
  return [...Object.keys(TABLES), ...Object.keys(LISTS), 'catalog.json', 'metadata.json'].includes(path);
}

/** Numbers the entries of each kind in a folder: in the order of the metadata, then by the names of the files. */
function numbered(entries: readonly (Omit<FileEntry, 'position'> | FileEntry)[], metadata: unknown): FileEntry[] {
  const order = profileOrder(metadata);
  const rank = ({ kind, id }: { kind: string; id: string }): number => {
    const at = order.get(kind)?.indexOf(id) ?? -1;
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const counts = new Map<string, number>();
  return entries
    .map((entry, at) => ({ entry, at, rank: rank(entry) }))
    .sort((a, b) => (a.rank === b.rank ? a.at - b.at : a.rank - b.rank))
    .map(({ entry, at }): { entry: FileEntry; at: number } => {
      if ('position' in entry) return { entry, at };
      const position = counts.get(entry.kind) ?? 0;
      counts.set(entry.kind, position + 1);
      return { entry: { ...entry, position }, at };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
}

/**
 * The entries of the files below `folder` (`''`, or a path that ends with a slash). Files of the same folder are numbered in the order of
 * `metadata.json`, else by their names. Throws ProfileBroken for a file that profiles do not have.
 */
export function fileEntries(files: Files, folder = ''): FileEntry[] {
  const entries = [...files].flatMap(([file, data]): (Omit<FileEntry, 'position'> | FileEntry)[] => {
    const place = file.startsWith(folder) ? file.slice(folder.length) : undefined;
    return place === undefined || OTHER.test(place) || PARTS.test(place) ? [] : entriesOf(file, place, data);
  });
  return numbered(entries, folder === '' ? files.get('metadata.json') : undefined);
}

/** A piece of configuration with the file that it is from. */
export type ProfileRow = ConfigurationRow & { file: string };

/** Checks rows by the schemas of their kinds. Throws ProfileBroken, see `requireProfileRow`. */
export function requireProfileRows(rows: readonly Pick<ProfileRow, 'file' | 'kind' | 'data'>[]): void {
  for (const { file, kind, data } of rows) requireProfileRow(file, kind, data);
}
