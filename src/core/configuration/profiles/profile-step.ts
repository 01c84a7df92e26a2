import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { KINDS } from '../site/site.ts';
import { type FileEntry, type Files, fileEntries, type ProfileRow } from './profile-rows.ts';
import { ProfileBroken, requireProfileRow } from './profile-schema.ts';
import { itemKey } from './three-way.ts';

/** Content of a folder `upgrades/<version>/`: the changes of the profile with this version (docs/profiles.md, "Upgrades"). */
export type ProfileStep = { version: string; title: string; entries: FileEntry[] };

const FOLDER = /^upgrades\/([^/]+)\//;
/** File with the pieces of the profile at a version; it is not a step. */
const INSTALLED = /\/installed\.json$/;
const METADATA = ['title'];

/** The title of a step, from `upgrades/<version>/metadata.json` if it exists. */
function titleOf(files: Files, version: string): string {
  const file = `upgrades/${version}/metadata.json`;
  const metadata = files.get(file);
  if (metadata === undefined) return `Changes of version ${version}`;
  const unknown = isJsonObject(metadata) ? Object.keys(metadata).find((key) => !METADATA.includes(key)) : '';
  if (unknown !== undefined) throw new ProfileBroken(`${file}: "${unknown}" is no key that Canopy knows.`);
  const title = isJsonObject(metadata) ? metadata.title : undefined;
  if (typeof title !== 'string' || title === '') throw new ProfileBroken(`${file}: "title" must be a text.`);
  return title;
}

/** The steps of a profile, the lowest version first. Throws ProfileBroken for a folder whose name is no version. */
export function profileSteps(files: Files): ProfileStep[] {
  const versions = new Set(
    [...files.keys()].filter((path) => !INSTALLED.test(path)).flatMap((path) => FOLDER.exec(path)?.[1] ?? []),
  );
  const wrong = [...versions].find((version) => !/^\d{1,18}$/.test(version));
  if (wrong !== undefined)
    throw new ProfileBroken(`upgrades/${wrong}: The folder must have a version for a name, such as 1001.`);
  return [...versions]
    .sort((a, b) => Number(BigInt(a) - BigInt(b)))
    .map((version) => ({
      version,
      title: titleOf(files, version),
      entries: fileEntries(files, `upgrades/${version}/`),
    }));
}

/** A change of a list, `{"add": […], "remove": […]}`, with one member or both. */
type ListChange = { add?: unknown[]; remove?: unknown[] };

export const isListChange = (patch: unknown): patch is ListChange =>
  isJsonObject(patch) &&
  Object.keys(patch).length > 0 &&
  Object.entries(patch).every(([key, value]) => (key === 'add' || key === 'remove') && Array.isArray(value));

/** A list after a change: items are compared by `itemKey`; an added item replaces an item with the same key. */
function changedList(list: readonly unknown[], { add = [], remove = [] }: ListChange): unknown[] {
  const keyOf = (item: unknown) => itemKey(item) ?? JSON.stringify(item);
  const gone = new Set(remove.map(keyOf));
  const added = new Map(add.map((item) => [keyOf(item), item]));
  const kept = list
    .filter((item) => !gone.has(keyOf(item)))
    .map((item) => (added.has(keyOf(item)) ? added.get(keyOf(item)) : item));
  const present = new Set(list.map(keyOf));
  return [...kept, ...[...added].flatMap(([key, item]) => (present.has(key) && !gone.has(key) ? [] : [item]))];
}

/** A value after a change: objects key by key, where null removes a key; lists by `ListChange`; other values are replaced. */
function patched(value: unknown, patch: unknown, keepsNull: (key: string) => boolean = () => false): unknown {
  if (isListChange(patch) && (value === undefined || Array.isArray(value))) return changedList(value ?? [], patch);
  if (!isJsonObject(patch)) return patch;
  const entries = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null && !keepsNull(key)) entries.delete(key);
    else entries.set(key, patched(entries.get(key), change));
  }
  return Object.fromEntries(entries);
}

/** A list of actions after changes of single actions, each by its `id`; `"remove": true` removes the action. */
function patchedActions(file: string, list: unknown, changes: unknown): unknown[] {
  if (!Array.isArray(changes)) throw new ProfileBroken(`${file}: A category must be a list of actions.`);
  const actions = new Map((Array.isArray(list) ? list : []).map((action) => [itemKey(action), action]));
  for (const change of changes) {
    const id = itemKey(change);
    if (id === undefined || !isJsonObject(change)) throw new ProfileBroken(`${file}: An action has no "id".`);
    if (change.remove === true) actions.delete(id);
    else actions.set(id, patched(actions.get(id), change));
  }
  return [...actions.values()];
}

/** The change of a whole piece by a file; undefined for a file that changes parts of the piece. */
function wholeChange({ kind, data }: FileEntry): { remove: true } | { whole: JsonObject } | undefined {
  if (data === null && kind !== KINDS.setting) return { remove: true };
  if (!isJsonObject(data) || kind === KINDS.setting) return undefined;
  const { remove, whole, ...rest } = data;
  if (remove === true) return { remove };
  return whole === true ? { whole: rest } : undefined;
}

/** The key of a piece of the configuration among all pieces. */
export const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;

/** The value of a piece after a step; undefined when the step removes the piece. */
function after(entry: FileEntry, value: unknown): unknown {
  const { kind, data, file } = entry;
  const change = wholeChange(entry);
  if (change) return 'whole' in change ? change.whole : undefined;
  if (kind === KINDS.action) return patchedActions(file, value, data);
  if (kind === KINDS.setting) return patched(value, data, () => true);
  return patched(value, data, (key) => kind === KINDS.type && key === 'workflow');
}

/**
 * Returns the pieces of a profile after a step, made from the pieces before the step. Throws ProfileBroken for a resulting piece of a wrong form: the
 * message names the file and the key.
 */
export function applyStep(rows: readonly ProfileRow[], { entries }: Pick<ProfileStep, 'entries'>): ProfileRow[] {
  const next = new Map(rows.map((row) => [keyOf(row), row]));
  for (const entry of entries) {
    const { kind, id, file } = entry;
    const row = next.get(keyOf(entry));
    const data = after(entry, row?.data);
    if (data === undefined) {
      next.delete(keyOf(entry));
      continue;
    }
    requireProfileRow(file, kind, data);
    const positions = rows.filter((other) => other.kind === kind).map(({ position }) => position);
    const position = row?.position ?? Math.max(-1, ...positions) + 1;
    next.set(keyOf(entry), { kind, id, position, data, file: row?.file ?? file.replace(FOLDER, '') });
  }
  return [...next.values()];
}
