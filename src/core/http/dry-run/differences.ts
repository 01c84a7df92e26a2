import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';

/** Members of a representation that are no part of the object itself, or change with every change. */
const PASSED_OVER = new Set([
  '@components',
  'batching',
  'items',
  'items_total',
  'lock',
  'modified',
  'next_item',
  'parent',
  'previous_item',
]);

/** Bytes of JSON of one value in a report; a longer one is left out. */
const MAX_VALUE_BYTES = 32 * 1024;

/** One difference: of a field, or of a block in a field of blocks. */
export type Difference = {
  field: string;
  /** The id of the block. */
  block?: string;
  change: 'added' | 'changed' | 'removed';
  before?: unknown;
  after?: unknown;
  /** True where a value is too long for the report. */
  left_out?: true;
};

const isTooLong = (value: unknown): boolean =>
  value !== undefined && Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES;

function differenceOf(at: Pick<Difference, 'field' | 'block'>, before: unknown, after: unknown): Difference {
  const isEmpty = (value: unknown) => value === undefined || value === null;
  const change = isEmpty(before) ? 'added' : isEmpty(after) ? 'removed' : 'changed';
  if (isTooLong(before) || isTooLong(after)) return { ...at, change, left_out: true };
  return { ...at, change, ...(isEmpty(before) ? {} : { before }), ...(isEmpty(after) ? {} : { after }) };
}

const namesOf = (before: JsonObject, after: JsonObject): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

/** The differences between two representations of an object; an absent one has no members. */
export function differencesOf(before: JsonObject = {}, after: JsonObject = {}): Difference[] {
  return namesOf(before, after).flatMap((field) => {
    const [old, present] = [before[field], after[field]];
    if (PASSED_OVER.has(field) || isDeepStrictEqual(old ?? null, present ?? null)) return [];
    if (field !== 'blocks') return differenceOf({ field }, old, present);
    const [oldBlocks, blocks] = [isJsonObject(old) ? old : {}, isJsonObject(present) ? present : {}];
    return namesOf(oldBlocks, blocks)
      .filter((block) => !isDeepStrictEqual(oldBlocks[block], blocks[block]))
      .map((block) => differenceOf({ field, block }, oldBlocks[block], blocks[block]));
  });
}
