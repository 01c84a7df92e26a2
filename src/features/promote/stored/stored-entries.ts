import { Check } from 'typebox/value';
import type { Queryable } from '#core';
import { PlanEntry } from '../forms/plan.ts';
import { type Outline, outlineOf, type PlanEntries } from '../forms/plan-entries.ts';
import { loadEntries, type StoredPlan } from '../statements/plans.ts';

/** Entries that are whole in memory at once while outlines are made. */
const BATCH = 100;

/** The entry of a stored text. Throws for a text that this program has not stored. */
function parseEntry(text: string): PlanEntry {
  const entry: unknown = JSON.parse(text);
  if (!Check(PlanEntry, entry)) throw new Error('A stored entry of a plan is malformed');
  return entry;
}

/** The entries of a stored plan: outlines of all are in memory, the whole ones are read when they are needed. */
export async function storedEntries(
  db: Queryable,
  { id, entries: count }: Pick<StoredPlan, 'id' | 'entries'>,
): Promise<PlanEntries> {
  const outlines: Outline[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => from + at);
    for (const { number, entry } of await loadEntries(db, id, numbers))
      outlines.push(outlineOf(parseEntry(entry), number));
  }
  return {
    outlines,
    async load(numbers) {
      const found = new Map((await loadEntries(db, id, numbers)).map(({ number, entry }) => [number, entry]));
      return numbers.map((number) => {
        const text = found.get(number);
        if (text === undefined) throw new Error(`Entry ${number} of a stored plan is missing`);
        return parseEntry(text);
      });
    },
  };
}
