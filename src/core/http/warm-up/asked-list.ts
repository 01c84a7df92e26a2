import { isJsonObject, valueOfJson } from '../../../lib/json-object.ts';
import { DAY_MS } from '../../../lib/time/milliseconds.ts';
import { type CountedAddress, keyOfAddress, mostAsked } from './asked-addresses.ts';

/** The form of the list. A list of another form, which another version of the program has written, is not used. */
const FORM = 1;
/** Addresses of the list. */
const MAX_LISTED = 500;
/** Bytes of a stored list. */
export const MAX_LIST_BYTES = 256 * 1024;
/** Milliseconds after which a list says nothing about the visitors of today. */
const MAX_AGE_MS = 14 * DAY_MS;
/** Milliseconds after which a request counts half. */
const HALF_LIFE_MS = DAY_MS;

/** A list as it is stored. `list` is null when it is too large to be loaded. */
export type StoredList = { list: string | null; ageMs: number };

/** The addresses of a stored list, or the reason why it cannot be used. */
export type ParsedList = { addresses: CountedAddress[] } | { problem: string };

function parseAddress(value: unknown): CountedAddress | undefined {
  if (!isJsonObject(value)) return undefined;
  const { scheme, host, target, language, count } = value;
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  if (typeof host !== 'string' || typeof target !== 'string') return undefined;
  if (language !== null && typeof language !== 'string') return undefined;
  if (typeof count !== 'number' || !(count > 0) || !Number.isFinite(count)) return undefined;
  return { scheme, host, target, language, count };
}

/** Parses a stored list. An older request counts less. */
export function parseList({ list, ageMs }: StoredList): ParsedList {
  if (list === null) return { problem: 'it is too large' };
  if (ageMs > MAX_AGE_MS) return { problem: 'it is too old' };
  const parsed = valueOfJson(list);
  if (!isJsonObject(parsed) || !Array.isArray(parsed.addresses)) return { problem: 'it is damaged' };
  if (parsed.form !== FORM) return { problem: 'another version of the program has written it' };
  const factor = 0.5 ** (Math.max(0, ageMs) / HALF_LIFE_MS);
  const addresses: CountedAddress[] = [];
  for (const value of parsed.addresses.slice(0, MAX_LISTED)) {
    const address = parseAddress(value);
    if (!address) return { problem: 'it is damaged' };
    addresses.push({ ...address, count: address.count * factor });
  }
  return { addresses };
}

/** Adds the counts of some lists, without the addresses under the keys of `gone`. */
export function mergeLists(
  lists: readonly (readonly CountedAddress[])[],
  gone: ReadonlySet<string> = new Set(),
): CountedAddress[] {
  const merged = new Map<string, CountedAddress>();
  for (const address of lists.flat()) {
    const key = keyOfAddress(address);
    if (gone.has(key)) continue;
    const count = (merged.get(key)?.count ?? 0) + address.count;
    merged.set(key, { ...address, count });
  }
  return mostAsked(merged.values(), MAX_LISTED);
}

/** The list as text. The rarest addresses are left out where it would be too large. */
export function formatList(addresses: readonly CountedAddress[]): string {
  const items: string[] = [];
  let bytes = 100;
  for (const { scheme, host, target, language, count } of addresses) {
    const item = JSON.stringify({ scheme, host, target, language, count: Math.max(0.001, Number(count.toFixed(3))) });
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > MAX_LIST_BYTES) break;
    items.push(item);
  }
  return `{"form":${FORM},"addresses":[${items.join(',')}]}`;
}
