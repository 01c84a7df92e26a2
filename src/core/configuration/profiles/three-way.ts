import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';

/** One value that a new version changes; `from` is absent for a new value, `to` for a removed value. */
export type ValueChange = { key: string; from?: unknown; to?: unknown };

/** One value that the site and the new version have both changed; the value of the site stays. An absent member is a missing value. */
export type ValueConflict = { key: string; site?: unknown; wanted?: unknown };

/** Result of a merge; `value` is undefined if the value is removed. */
export type Merged = { value: unknown; changes: ValueChange[]; conflicts: ValueConflict[] };

/** Three versions of a value: as installed, as on the site now, and as in the new version. Undefined stands for a missing value. */
export type Versions = { base: unknown; site: unknown; wanted: unknown };

/** The key by which an item of a list is found in another version; undefined for items without a key. */
export function itemKey(item: unknown): string | undefined {
  if (typeof item === 'string' || typeof item === 'number') return String(item);
  if (Array.isArray(item)) return typeof item[0] === 'string' && item.length === 2 ? item[0] : undefined;
  if (!isJsonObject(item)) return undefined;
  const key = item.id ?? item.token ?? item.name;
  return typeof key === 'string' ? key : undefined;
}

/** The items of a list by their keys; undefined for other values, and for a list in which an item has no unique key. */
function keyed(list: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of list) {
    const key = itemKey(item);
    if (key === undefined || items.has(key)) return undefined;
    items.set(key, item);
  }
  return items;
}

const isSimple = (item: unknown): boolean => typeof item !== 'object' || item === null;
const join = (key: string, name: string): string => (key === '' ? name : `${key}.${name}`);

/** Sorts the names that `order` has by `order`, in the places that these names had; other names keep their places. */
function reordered(names: readonly string[], order: readonly string[]): string[] {
  const wanted = order.filter((name) => names.includes(name));
  const places = new Set(wanted);
  let next = 0;
  return names.map((name) => (places.has(name) ? (wanted[next++] ?? name) : name));
}

/** Inserts `name` into a list behind the nearest name that precedes it in `order`; at the end when no such name is in the list. */
export function inserted(names: readonly string[], name: string, order: readonly string[]): string[] {
  const before = order.slice(0, order.indexOf(name)).reverse();
  const neighbour = before.find((one) => names.includes(one));
  const at = neighbour === undefined ? (before.length === 0 ? 0 : names.length) : names.indexOf(neighbour) + 1;
  return [...names.slice(0, at), name, ...names.slice(at)];
}

type Lists = Record<keyof Versions, Map<string, unknown>>;

/** The merged order of a list: the order of the new version unless the site has changed the order. */
function mergeOrder(
  { base, site, wanted }: Lists,
  names: string[],
  key: string,
  merged: Omit<Merged, 'value'>,
): string[] {
  const common = (list: Map<string, unknown>, ...others: Map<string, unknown>[]) =>
    [...list.keys()].filter((name) => others.every((other) => other.has(name)));
  const before = common(base, site, wanted);
  const now = common(site, base, wanted);
  const next = common(wanted, base, site);
  if (isDeepStrictEqual(before, next) || isDeepStrictEqual(now, next)) return names;
  const where = `${key} (order)`;
  if (isDeepStrictEqual(before, now)) {
    merged.changes.push({ key: where, from: now, to: next });
    return reordered(names, [...wanted.keys()]);
  }
  merged.conflicts.push({ key: where, site: now, wanted: next });
  return names;
}

function mergeLists(lists: Lists, key: string): Merged {
  const { base, site, wanted } = lists;
  const merged: Omit<Merged, 'value'> = { changes: [], conflicts: [] };
  const items = new Map(site);
  for (const name of new Set([...base.keys(), ...wanted.keys()])) {
    const versions = { base: base.get(name), site: site.get(name), wanted: wanted.get(name) };
    // An item that is a plain text is its own key, so the report names the list and the text.
    const simple = Object.values(versions).every((item) => item === undefined || isSimple(item));
    // A pair of token and title is one value.
    const merge = Object.values(versions).some(Array.isArray) ? mergeWhole : mergeThreeWay;
    const { value, changes, conflicts } = merge(versions, simple ? key : join(key, name));
    merged.changes.push(...changes);
    merged.conflicts.push(...conflicts);
    if (value === undefined) items.delete(name);
    else items.set(name, value);
  }
  const order = [...wanted.keys()];
  const kept = [...site.keys()].filter((name) => items.has(name));
  const all = order
    .filter((name) => items.has(name) && !site.has(name))
    .reduce((names, name) => inserted(names, name, order), kept);
  const value = mergeOrder(lists, all, key, merged).flatMap((name) => (items.has(name) ? [items.get(name)] : []));
  return { value, ...merged };
}

function mergeObjects(
  { base, site, wanted }: { base: JsonObject; site: JsonObject; wanted: JsonObject },
  key: string,
): Merged {
  const entries = new Map(Object.entries(site));
  const merged: Omit<Merged, 'value'> = { changes: [], conflicts: [] };
  const own = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  for (const name of new Set([...Object.keys(base), ...Object.keys(wanted)])) {
    const versions = { base: own(base, name), site: own(site, name), wanted: own(wanted, name) };
    const { value, changes, conflicts } = mergeThreeWay(versions, join(key, name));
    merged.changes.push(...changes);
    merged.conflicts.push(...conflicts);
    if (value === undefined) entries.delete(name);
    else entries.set(name, value);
  }
  return { value: Object.fromEntries(entries), ...merged };
}

/** Merges a value as a whole: the new value counts unless the site has changed the installed one. */
function mergeWhole({ base, site, wanted }: Versions, key: string): Merged {
  if (isDeepStrictEqual(base, wanted) || isDeepStrictEqual(site, wanted))
    return { value: site, changes: [], conflicts: [] };
  const before = site === undefined ? {} : { from: site };
  const after = wanted === undefined ? {} : { to: wanted };
  if (isDeepStrictEqual(base, site)) return { value: wanted, changes: [{ key, ...before, ...after }], conflicts: [] };
  const conflict = { key, ...(site !== undefined && { site }), ...(wanted !== undefined && { wanted }) };
  return { value: site, changes: [], conflicts: [conflict] };
}

/**
 * Brings a value of the site to a new version: changes from the installed to the new version are made, unless the site has changed the same value.
 * Objects are compared key by key, lists item by item. `key` is the prefix of the reported keys.
 */
export function mergeThreeWay(versions: Versions, key = ''): Merged {
  const { base, site, wanted } = versions;
  if (isDeepStrictEqual(base, wanted) || isDeepStrictEqual(site, wanted))
    return { value: site, changes: [], conflicts: [] };
  if (isJsonObject(site) && isJsonObject(wanted) && (base === undefined || isJsonObject(base)))
    return mergeObjects({ base: base ?? {}, site, wanted }, key);
  const lists = { base: keyed(base ?? []), site: keyed(site), wanted: keyed(wanted) };
  if (lists.base && lists.site && lists.wanted)
    return mergeLists({ base: lists.base, site: lists.site, wanted: lists.wanted }, key);
  return mergeWhole(versions, key);
}
