import type { EntryOf, PlanEntry, PlanPiece } from './plan.ts';

/** An entry without its values, which may be large: where it stands in the plan, which object it is about, and what it does with its place. */
export type Outline<Entry extends PlanEntry = PlanEntry> = { at: number } & (Entry extends EntryOf<'created'>
  ? Pick<EntryOf<'created'>, 'change' | 'uid' | 'path' | 'place' | 'type'>
  : Entry extends EntryOf<'changed'>
    ? Pick<EntryOf<'changed'>, 'change' | 'uid' | 'path' | 'place' | 'type'>
    : Entry extends EntryOf<'removed'>
      ? EntryOf<'removed'>
      : Pick<EntryOf<'ordered'>, 'change' | 'uid' | 'path'>);

/** The outline of an entry at its number in the plan. */
export function outlineOf(entry: PlanEntry, at: number): Outline {
  const { uid, path } = entry;
  if (entry.change === 'removed') return { at, change: entry.change, uid, path, digest: entry.digest };
  if (entry.change === 'ordered') return { at, change: entry.change, uid, path };
  const { type } = entry;
  if (entry.change === 'created') return { at, change: entry.change, uid, path, place: entry.place, type };
  return { at, change: entry.change, uid, path, type, ...(entry.place && { place: entry.place }) };
}

/** The entries of a plan: outlines of all, and the whole ones by their numbers, in the order of these. */
export type PlanEntries = { outlines: readonly Outline[]; load(numbers: readonly number[]): Promise<PlanEntry[]> };

/** A plan that is applied. Its entries may be stored somewhere else than in memory. */
export type ReadablePlan = { setup: readonly PlanPiece[]; entries: PlanEntries };

/** The entries of a plan that is in memory. */
export const entriesInMemory = (entries: readonly PlanEntry[]): PlanEntries => ({
  outlines: entries.map(outlineOf),
  load: async (numbers) => numbers.flatMap((at) => entries[at] ?? []),
});

/** Entries that are whole in memory at once. */
const BATCH = 50;

/** The whole entries of outlines in their order, of which a few are in memory at once. */
export async function* wholeEntries({ load }: PlanEntries, outlines: readonly Outline[]): AsyncGenerator<PlanEntry> {
  for (let at = 0; at < outlines.length; at += BATCH)
    yield* await load(outlines.slice(at, at + BATCH).map((outline) => outline.at));
}
