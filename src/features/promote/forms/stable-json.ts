import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '#lib/json-object';

/** The order of the blocks in an object that has some, as its layout says; undefined for other objects. */
function blockOrder(object: JsonObject): string[] | undefined {
  const { blocks, blocks_layout: layout } = object;
  const items = isJsonObject(layout) ? layout.items : undefined;
  if (!isJsonObject(blocks) || !Array.isArray(items)) return undefined;
  return items.filter((id): id is string => typeof id === 'string');
}

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The keys in the order of `first`, the others behind them by their code points. */
function orderedKeys(object: JsonObject, first: readonly string[] = []): string[] {
  const known = first.filter((key) => Object.hasOwn(object, key));
  const rest = Object.keys(object).filter((key) => !known.includes(key));
  return [...new Set(known), ...rest.sort(byCode)];
}

/**
 * A value whose text is the same whenever the value is: keys sorted, the blocks of content in the order in which they stand on the page,
 * so that each is a paragraph of lines and two changes of different blocks do not touch the same lines.
 */
export function inStableOrder(value: unknown, keys?: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inStableOrder(item));
  if (!isJsonObject(value)) return value;
  const order = blockOrder(value);
  return Object.fromEntries(
    orderedKeys(value, keys).map((key) => [key, inStableOrder(value[key], key === 'blocks' ? order : undefined)]),
  );
}

/** The text of a value as files have it, with the keys in `first` before the others. */
export const stableText = (value: unknown, first?: readonly string[]): string =>
  `${JSON.stringify(inStableOrder(value, first), null, 2)}\n`;

/** The SHA-256 of a value, in hex. */
export const digestOfJson = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inStableOrder(value)))
    .digest('hex');
