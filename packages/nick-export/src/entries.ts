import path from 'node:path';
import {
  isEmptyValue,
  isJsonObject,
  type JsonObject,
  memberOf,
  numberOrNull,
  parentPathOf,
  parentsFirst,
  stringOrNull,
  uidFromPath,
} from '@canopy-server/site-reader';
import { FIELDS_OF_NICK } from './item.ts';
import { isDefinition, type NickFolder, namesIn, readObject } from './profiles.ts';

/** An object of the site, without its values. */
export type Entry = {
  path: string;
  uid: string;
  type: string;
  file: string;
  /** The folder of the file, in which the paths of files in the object begin. */
  folder: string;
  position: number;
  keys: string[];
  /** The language and the group of translations; null for content without a language. */
  language: string | null;
  group: string;
};

/** The language of an object: a code, or in what Nick has exported a code with its name. */
export function languageOf({ language }: JsonObject): string | null {
  return stringOrNull(isJsonObject(language) ? language.token : language);
}

const ROOT = '_root';

/** The names of a document's own files, which its id may be. */
const filenames = (data: JsonObject): string[] =>
  Object.values(data).flatMap((value) => {
    const name =
      stringOrNull(memberOf(value, 'filename')) ?? (typeof value === 'string' ? path.posix.basename(value) : null);
    return name?.includes('.') ? [name] : [];
  });

const parts = (stem: string): string[] => stem.split('.').filter((part) => part !== '');

/**
 * The path of an object by the name of its file: points stand for slashes. An id that has points itself is the name of the
 * object's own file.
 */
function pathOf(stem: string, stems: ReadonlySet<string>, data: JsonObject): string {
  if (stem === ROOT) return '/';
  const container = stem.slice(0, Math.max(stem.lastIndexOf('.'), 0));
  if (container !== '' && !stems.has(container)) {
    const name = filenames(data).find((one) => stem === one || stem.endsWith(`.${one}`));
    const before = name === undefined ? '' : stem.slice(0, -name.length - 1);
    if (name !== undefined) return `/${[...parts(before), name].join('/')}`;
  }
  return `/${parts(stem).join('/')}`;
}

/** Finds the objects of all profiles, containers first. */
export async function findEntries(folder: NickFolder): Promise<Entry[]> {
  const { problems, isLoose } = folder;
  const names = isLoose ? await looseNames(folder) : await namesIn(folder, 'documents');
  const stems = new Set(names.map(([, stem]) => stem));
  const entries = new Map<string, Entry>();
  const uids = new Set<string>();
  const children = new Map<string, number>();
  for (const [file, stem] of names) {
    const data = await readObject(folder, file);
    if (data === undefined) continue;
    if (isLoose && (stringOrNull(data.uuid) === null || stringOrNull(data.type) === null)) {
      problems.add({ reason: 'object', file, message: 'The file has no uuid and no type: it is no object of Nick.' });
      continue;
    }
    const at = pathOf(stem, stems, data);
    const earlier = entries.get(at);
    if (earlier)
      problems.add({
        reason: 'object',
        file: earlier.file,
        path: at,
        message: `The object is in ${file} as well, which counts.`,
      });
    const parent = parentPathOf(at) ?? '';
    const counted = children.get(parent) ?? 0;
    if (earlier === undefined) children.set(parent, counted + 1);
    else uids.delete(earlier.uid);
    const wanted = stringOrNull(data.uuid);
    const uid = wanted === null || uids.has(wanted) ? uidFromPath(`nick:${at}`) : wanted;
    if (wanted !== null && wanted !== uid)
      problems.add({
        reason: 'renamed',
        file,
        path: at,
        key: 'uuid',
        message: 'Another object has its UUID; it gets one of its path.',
      });
    uids.add(uid);
    entries.set(at, {
      ...{ path: at, uid, file, folder: path.posix.dirname(file) },
      type: stringOrNull(data.type) ?? (at === '/' ? 'Site' : 'Page'),
      position: numberOrNull(data.position_in_parent) || counted,
      keys: Object.keys(data).filter((key) => !FIELDS_OF_NICK.has(key) && !isEmptyValue(data[key])),
      language: languageOf(data),
      group: stringOrNull(data.translation_group) ?? uid,
    });
  }
  return [
    ...parentsFirst(
      entries.values(),
      ({ path: at }) => at,
      ({ path: at }) => parentPathOf(at),
    ),
  ];
}

async function looseNames({ files }: NickFolder): Promise<[file: string, stem: string][]> {
  const names = (await files.list('.')).filter(isDefinition).sort();
  return names.map((name) => [name, name.slice(0, -'.json'.length)]);
}
