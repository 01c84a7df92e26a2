import { isJsonObject, type JsonObject, omit } from '../../../lib/json-object.ts';
import type { ConfigurationRow } from '../statements/configuration.ts';
import { CATALOG, FOLDERS, LISTS, TABLES } from './profile-rows.ts';

/** The place of the pieces of a kind; undefined for none. */
const placeOf = (places: Readonly<Record<string, string>>, kind: string): string | undefined =>
  Object.keys(places).find((place) => places[place] === kind);

/** A free name for the file of a piece: its id, without characters that file systems reject. */
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

/** The list of pieces at a path, made for the first piece. */
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

/** The list of a name in the object of lists at a path. */
function listIn(files: Map<string, unknown>, path: string, name: string): unknown[] {
  const table = tableAt(files, path);
  const known = table[name];
  if (Array.isArray(known)) return known;
  const made: unknown[] = [];
  table[name] = made;
  return made;
}

/**
 * Makes the files of a profile with these pieces, by their paths, in the form that `fileEntries` parses. The files also name kinds without pieces, so
 * that a site that gets the files removes its last piece of the kind.
 */
export function profileFiles(
  metadata: { id: string; title: string; version: string },
  rows: readonly ConfigurationRow[],
): Map<string, unknown> {
  const order: Record<string, string[]> = Object.fromEntries(Object.keys(FOLDERS).map((folder) => [folder, []]));
  const files = new Map<string, unknown>([
    ['metadata.json', { ...metadata, order }],
    ...Object.keys(TABLES).map((path): [string, unknown] => [path, {}]),
    ...Object.keys(LISTS).map((path): [string, unknown] => [path, []]),
    ['catalog.json', Object.fromEntries(Object.keys(CATALOG).map((key) => [key, []]))],
  ]);
  for (const { kind, id, data } of rows) {
    const [folder, table, list, key] = [FOLDERS, TABLES, LISTS, CATALOG].map((places) => placeOf(places, kind));
    if (folder !== undefined) {
      order[folder] = [...(order[folder] ?? []), id];
      // The record of removed fields is left out: only sites have it.
      files.set(
        fileName(folder, id, files),
        isJsonObject(data) ? omit(data, (name) => name === 'retired_fields') : data,
      );
    } else if (table !== undefined) tableAt(files, table)[id] = data;
    else if (list !== undefined) listAt(files, list).push(data);
    else if (key !== undefined) listIn(files, 'catalog.json', key).push(data);
  }
  return files;
}
