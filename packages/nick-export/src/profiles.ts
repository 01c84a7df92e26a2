import path from 'node:path';
import {
  ExportError,
  type ExportFolder,
  isJsonObject,
  type JsonObject,
  memberOf,
  openExportFolder,
  type ProblemLog,
} from '@canopy-server/site-reader';

/** A profile of Nick: its name, which is empty for the only one, and the folder that its files are in, which ends with a slash. */
type Profile = { name: string; folder: string };

/** The files of a site of Nick. */
export type NickFolder = {
  files: ExportFolder;
  problems: ProblemLog;
  /** In the order in which they are applied. */
  profiles: readonly Profile[];
  /** True for objects that Nick has exported one by one: there is nothing beside them. */
  isLoose: boolean;
};

/** Maximum number of levels of a value: recursive functions have a stack for them. */
const MAX_DEPTH = 200;

/** Files and folders by which a folder is seen to be a profile. */
const MARKS = ['documents', 'types', 'behaviors', 'vocabularies', 'controlpanels'];
const MARK_FILES = ['users.json', 'groups.json', 'redirects.json', 'roles.json', 'workflows.json', 'metadata.json'];

async function isProfile(files: ExportFolder, folder: string): Promise<boolean> {
  const folders = await files.folders(folder === '' ? '.' : folder);
  if (MARKS.some((mark) => folders.includes(mark))) return true;
  for (const name of MARK_FILES) if (await files.has(`${folder}${name}`)) return true;
  return false;
}

/**
 * Finds the profiles in a place.
 * @param wanted the names of profiles in their order, with commas between them
 * @throws ExportError when the place has several profiles and nobody says which, or one that is wanted is not there
 */
export async function findProfiles(
  place: string,
  problems: ProblemLog,
  wanted: string | undefined,
): Promise<NickFolder> {
  const { folder: files } = await openExportFolder(place, problems);
  const inside: string[] = [];
  for (const name of await files.folders('.')) if (await isProfile(files, `${name}/`)) inside.push(name);
  if (wanted !== undefined) {
    const names = wanted.split(',').map((name) => name.trim());
    const missing = names.find((name) => !inside.includes(name));
    if (missing !== undefined)
      throw new ExportError(
        `There is no profile "${missing}" in ${place}. Profiles: ${inside.join(', ') || 'none'}. Name the folder that the profiles are in.`,
      );
    const profiles = [...new Set(names)].map((name) => ({ name, folder: `${name}/` }));
    return { files, problems, profiles, isLoose: false };
  }
  const profiles = [{ name: '', folder: '' }];
  if (await isProfile(files, '')) return { files, problems, profiles, isLoose: false };
  const [first, second] = inside;
  if (first !== undefined && second === undefined)
    return { files, problems, profiles: [{ name: first, folder: `${first}/` }], isLoose: false };
  if (first !== undefined)
    throw new ExportError(
      `${place} has several profiles. Name those of the site in the order of its config: --reader-option profiles=${inside.join(',')}`,
    );
  if ((await files.list('.')).some(isDefinition)) return { files, problems, profiles, isLoose: true };
  throw new ExportError(`${place} has neither a profile of Nick nor objects that it has exported.`);
}

/** A value without the marks that Nick puts behind the names of translated texts (`title:i18n`). */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.replace(/:i18n$/, ''), withoutMarks(entry)]),
  );
}

/** Reads a file of a profile that has an object; undefined for a missing one, and for one that cannot be read, which is reported. */
export async function readObject(
  { files, problems }: Pick<NickFolder, 'files' | 'problems'>,
  name: string,
  isOptional = false,
): Promise<JsonObject | undefined> {
  const value = await files.json(name, { optional: isOptional });
  if (value === undefined) return undefined;
  const plain = isTooDeep(value) ? undefined : withoutMarks(value);
  if (isJsonObject(plain)) return plain;
  problems.add({ reason: 'unreadable', file: name, message: 'The file holds no object of JSON, or too many levels.' });
  return undefined;
}

function isTooDeep(value: unknown): boolean {
  const pending: [unknown, number][] = [[value, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [one, level] = next;
    if (typeof one !== 'object' || one === null) continue;
    if (level >= MAX_DEPTH) return true;
    for (const entry of Object.values(one)) pending.push([entry, level + 1]);
  }
  return false;
}

/** The objects of a list in a file of each profile, such as the users of `users.json`. A profile that purges removes those of the profiles before. */
export async function listed(folder: NickFolder, file: string, key: string): Promise<JsonObject[]> {
  let found: JsonObject[] = [];
  for (const profile of folder.profiles) {
    const data = await readObject(folder, `${profile.folder}${file}`, true);
    if (data === undefined) continue;
    if (data.purge === true) found = [];
    const list = memberOf(data, key);
    if (Array.isArray(list)) found.push(...list.filter(isJsonObject));
    else if (list !== undefined)
      folder.problems.add({
        reason: 'unreadable',
        file: `${profile.folder}${file}`,
        key,
        message: `"${key}" is no list: nothing of the file is read.`,
      });
  }
  return found;
}

/** Says if a name is that of a file of JSON. Hidden files are those of the file system. */
export const isDefinition = (name: string): boolean => name.endsWith('.json') && !name.startsWith('.');

/** Names of the files .json in a folder of each profile, without extension, in the order of their names. */
export async function namesIn(
  { files, profiles }: NickFolder,
  folder: string,
): Promise<[file: string, name: string][]> {
  const found: [string, string][] = [];
  for (const profile of profiles) {
    const names = (await files.list(`${profile.folder}${folder}`)).filter(isDefinition).sort();
    for (const name of names)
      found.push([path.posix.join(profile.folder, folder, name), name.slice(0, -'.json'.length)]);
  }
  return found;
}

/** Merges two values as Nick merges definitions of several profiles: objects by key, lists by place. */
export function merged(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after))
    return [
      ...after.map((entry, index) => (index < before.length ? merged(before[index], entry) : entry)),
      ...before.slice(after.length),
    ];
  if (!isJsonObject(before) || !isJsonObject(after)) return after === undefined ? before : after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(memberOf(before, key), memberOf(after, key))]));
}
