import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../src/database/database.ts';
import type { Json } from '../support/site.ts';

/** Reads an object as the reader of the report; undefined without one at the path. */
export type ReadObject = (path: string) => Promise<Json | undefined>;

const UNIQUE = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\b[\da-f]{32}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** A value without the ids and times that are others each time. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(text.replace(UNIQUE, 'unique').replace(TIME, 'time'));
}

/** The changes of a report that are about content, with the fields that it names. */
const withFields = (changes: readonly Json[]): Json[] =>
  changes.filter(({ type, fields }) => type === 'content' && Array.isArray(fields));

/** The value of a field, or of one of its blocks, in an object. */
const valueAt = (object: Json | undefined, { field, block }: Json): unknown =>
  block === undefined ? object?.[field] : object?.[field]?.[block];

/** Compares one side of the fields of a report with the objects that are there. A block with a new id is looked for by its content. */
async function sideProblems(changes: readonly Json[], side: 'before' | 'after', read: ReadObject): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, from, fields } of withFields(changes)) {
    const at = side === 'before' ? (from ?? path) : path;
    const object = await read(at);
    for (const one of fields) {
      if (one.left_out) continue;
      const [said, stored] = [comparable(one[side]), comparable(valueAt(object, one))];
      const isElsewhere = one.block !== undefined && side === 'after' && stored === null && said !== null;
      const blocks = Object.values(object?.[one.field] ?? {}).map(comparable);
      if (isElsewhere ? !blocks.some((block) => isDeepStrictEqual(block, said)) : !isDeepStrictEqual(stored, said))
        problems.push(`${at} ${one.field} ${side}: reported ${JSON.stringify(said)}, stored ${JSON.stringify(stored)}`);
    }
  }
  return problems;
}

/** Compares the values before the write that a report has with what is there before the real write. */
export const valuesBefore = (changes: readonly Json[], read: ReadObject): Promise<string[]> =>
  sideProblems(changes, 'before', read);

/** Compares the values after the write, states and addresses that a report has with what the real write has stored. */
export async function valuesAfter(
  changes: readonly Json[],
  { read, db }: { read: ReadObject; db: Database },
): Promise<string[]> {
  const problems = await sideProblems(changes, 'after', read);
  for (const { path, state } of changes) {
    if (state === undefined) continue;
    const { review_state: stored } = (await read(path)) ?? {};
    if (stored !== state.after) problems.push(`${path}: reported the state ${state.after}, stored ${stored}`);
  }
  for (const { type, change, address } of changes) {
    if (type !== 'address') continue;
    const [row] = await db.query({ text: 'select 1 from redirect where path = $1', values: [address] });
    if ((row !== undefined) !== (change === 'added')) problems.push(`The address ${address} is not ${change}`);
  }
  return problems;
}
