import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { type MergeBudget, mergeBudget, mergeSequences } from '../../../lib/merge/diff3.ts';
import { mergeMembers, mergeOrder } from '../../../lib/merge/merge-order.ts';
import { type Merged, mergeHtml, mergeText, type Preferred, type Sides } from '../../../lib/merge/merge-text.ts';
import { checkDepth } from '../blocks/walk.ts';
import { areLeaves, mergeLeaves } from './merge-leaves.ts';

/** A merge in progress: its remaining budget, the side that counts at conflicts, and the places of the conflicts so far. */
export type Merging = { prefer: Preferred; budget: MergeBudget; conflicts: (readonly string[])[] };

/** Begins a merge. */
export const beginMerge = (prefer: Preferred): Merging => ({ prefer, budget: mergeBudget(), conflicts: [] });

/** Notes a conflict at a place; returns the value of the side that counts. */
export function conflictAt<Value>(merging: Merging, at: readonly string[], sides: Sides<Value>): Value {
  merging.conflicts.push(at);
  return sides[merging.prefer];
}

/** The value without a conflict, or undefined in a list when both sides changed it. */
export function changedByOne<Value>({ base, mine, theirs }: Sides<Value>): [Value] | undefined {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(base, theirs)) return [mine];
  return isDeepStrictEqual(base, mine) ? [theirs] : undefined;
}

/** Members of blocks and of nodes with words for readers. Other texts, such as addresses, ids and formats, are merged as wholes. */
const TEXTS = new Set(['text', 'title', 'description', 'headline', 'caption', 'alt', 'code', 'markdown']);
/** Members that hold HTML. */
const HTML = new Set(['html']);

/** Members that identify items of lists; the first one that all items have is used. */
const KEYS = ['@id', 'id', 'key', 'UID'];

const merged = <Value>(
  merging: Merging,
  at: readonly string[],
  sides: Sides<Value>,
  { value, conflicts }: Merged<Value>,
) => (conflicts ? conflictAt(merging, at, sides) : value);

/** All three sides, if a guard holds for each of them. */
export function allThree<Value>(sides: Sides, is: (value: unknown) => value is Value): Sides<Value> | undefined {
  const { base, mine, theirs } = sides;
  return is(base) && is(mine) && is(theirs) ? { base, mine, theirs } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isIdList = (value: unknown): value is string[] =>
  isList(value) && value.every(isText) && new Set(value).size === value.length;

/**
 * Merges JSON values by members and by items of lists, and texts by words; undefined is an absent value. Notes the places of conflicts below `at`;
 * there the result has the values of the preferred side.
 */
export function mergeJson(merging: Merging, sides: Sides, at: readonly string[]): unknown {
  checkDepth(at.length);
  const plain = changedByOne(sides);
  if (plain) return plain[0];
  const name = at.at(-1) ?? '';
  const texts = allThree(sides, isText);
  if (texts && TEXTS.has(name)) return merged(merging, at, texts, mergeText(texts, merging.prefer, merging.budget));
  if (texts && HTML.has(name)) return merged(merging, at, texts, mergeHtml(texts, merging.prefer, merging.budget));
  const objects = allThree(sides, isJsonObject);
  if (objects) return mergeObjects(merging, objects, at);
  const lists = allThree(sides, isList);
  return lists ? mergeLists(merging, lists, at) : conflictAt(merging, at, sides);
}

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Merges objects member by member. */
export function mergeObjects(
  merging: Merging,
  { base, mine, theirs }: Sides<JsonObject>,
  at: readonly string[],
): JsonObject {
  const names = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  const entries = [...names].map((name) => {
    const sides = { base: own(base, name), mine: own(mine, name), theirs: own(theirs, name) };
    return [name, mergeJson(merging, sides, [...at, name])] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Items by the member that identifies them, if all items of all lists have this member and its values are unique in each list. */
function keyed({ base, mine, theirs }: Sides<unknown[]>): Sides<Map<string, unknown>> | undefined {
  const items = [...base, ...mine, ...theirs];
  const key = KEYS.find((name) => items.every((item) => isJsonObject(item) && isText(own(item, name))));
  if (key === undefined) return undefined;
  const byKey = (list: unknown[]) => new Map(list.map((item) => [String(isJsonObject(item) ? item[key] : ''), item]));
  const maps = { base: byKey(base), mine: byKey(mine), theirs: byKey(theirs) };
  const areUnique =
    maps.base.size === base.length && maps.mine.size === mine.length && maps.theirs.size === theirs.length;
  return areUnique ? maps : undefined;
}

/** Merges items with ids one by one. Returns the merged items; undefined for a removed item. */
function mergeItems(merging: Merging, maps: Sides<Map<string, unknown>>, at: readonly string[]): Map<string, unknown> {
  const ids = new Set([...maps.base.keys(), ...maps.mine.keys(), ...maps.theirs.keys()]);
  const items = [...ids].map((id) => {
    const sides = { base: maps.base.get(id), mine: maps.mine.get(id), theirs: maps.theirs.get(id) };
    return [id, mergeJson(merging, sides, [...at, id])] as const;
  });
  return new Map(items.filter(([, item]) => item !== undefined));
}

/** Merges lists: lists of ids and of items with ids by the order of the ids, other lists by their parts. */
function mergeLists(merging: Merging, lists: Sides<unknown[]>, at: readonly string[]): unknown[] {
  const ids = allThree(lists, isIdList);
  if (ids) return merged(merging, at, ids, mergeOrder(ids, mergeMembers(ids), merging.prefer));
  const maps = keyed(lists);
  if (maps) {
    const items = mergeItems(merging, maps, at);
    const orders = { base: [...maps.base.keys()], mine: [...maps.mine.keys()], theirs: [...maps.theirs.keys()] };
    const order = mergeOrder(orders, new Set(items.keys()), merging.prefer);
    if (order.conflicts) merging.conflicts.push(at);
    return order.value.map((id) => items.get(id));
  }
  if (at.at(-1) === 'children') {
    const leaves = allThree(lists, areLeaves);
    if (leaves) return merged(merging, at, leaves, mergeLeaves(leaves, merging));
  }
  return mergeParts(merging, lists, at);
}

/** Returns the text that is equal for equal values: members in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Merges lists of items without ids. A place with the same number of items on all sides is merged item by item. */
function mergeParts(merging: Merging, lists: Sides<unknown[]>, at: readonly string[]): unknown[] {
  const texts = {
    base: lists.base.map(canonical),
    mine: lists.mine.map(canonical),
    theirs: lists.theirs.map(canonical),
  };
  const parts = mergeSequences(texts.base, texts.mine, texts.theirs, merging.budget);
  return parts.flatMap((part) => {
    if (part.by !== 'conflict')
      return part.by === 'mine' ? lists.mine.slice(...part.mine) : lists.theirs.slice(...part.theirs);
    const [base, mine, theirs] = [
      lists.base.slice(...part.base),
      lists.mine.slice(...part.mine),
      lists.theirs.slice(...part.theirs),
    ];
    if (base.length !== mine.length || base.length !== theirs.length)
      return conflictAt(merging, [...at, String(part[merging.prefer][0])], { base, mine, theirs });
    return base.map((item, i) =>
      mergeJson(merging, { base: item, mine: mine[i], theirs: theirs[i] }, [
        ...at,
        String(part[merging.prefer][0] + i),
      ]),
    );
  });
}
