import type { Agent, ContentPlace, DateChanges, PositionChange, Sharing, SiteChange } from '#core';

/** The recorded data of each kind of change: what undoing it needs, and what the list shows. */
type StepData = {
  created: Record<string, never>;
  /** `source` is the path of the original. */
  copied: { source: string };
  /** `source` is where it was deleted. */
  restored: { source: string };
  deleted: { recyclable: boolean };
  /** A working copy went: `into` is the path of what it was checked into. The change of that is a step of its own. */
  checkedIn: { into: string };
  /** `versions` is the number of versions that the transaction has made. */
  edited: { fields: string[]; versions: number };
  /** `source` is the former path. */
  moved: { source: string; before: ContentPlace & { position: number }; after: ContentPlace };
  workflow: { transition: string; from: string; to: string; dates: StoredDates };
  shared: { before: Sharing; after: Sharing };
  /** Without `moves` too many children have moved. */
  ordered: { moves: readonly PositionChange[] | null };
  translated: { before: string | null; after: string | null };
  commented: { comment: string };
  settings: { panels: string[]; names: string[] };
  user: { id: string; change: 'created' | 'removed' };
  /** Something else than content, such as a group or a type. */
  site: Omit<SiteChange, 'path'>;
};

/** A kind of change. */
export type StepAction = keyof StepData;

/** The dates that a transition has changed, as they are stored. */
export type StoredDates = Partial<Record<'effective' | 'expires', { before: string | null; after: string | null }>>;

/** One change that a transaction has made. Without `path` it is where the object is at the end of the transaction. `agent` did it, where that was not the user. */
export type Step = {
  [A in StepAction]: { action: A; content: number | null; path?: string; data: StepData[A]; agent?: Agent };
}[StepAction];

/** A step as it was stored. */
export type StoredStep = Step & { path: string; version: number | null };

const stored = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Dates in the form in which they are stored. */
export const storedDates = (dates: DateChanges): StoredDates =>
  Object.fromEntries(
    Object.entries(dates).map(([name, { before, after }]) => [name, { before: stored(before), after: stored(after) }]),
  );

/** Actions that bring content into the tree. */
const BRINGING: ReadonlySet<StepAction> = new Set<StepAction>(['created', 'copied', 'restored']);

/**
 * The steps of a transaction that are to be undone, the last one first. What has come into the tree goes, and with it whatever else was
 * done to it; what has come and gone again, or the other way round, is as it was.
 */
export function stepsToUndo(steps: readonly StoredStep[]): StoredStep[] {
  const comings = steps.filter(({ action }) => BRINGING.has(action) || action === 'deleted');
  const first = new Map(comings.toReversed().map((step) => [step.content, step]));
  const last = new Map(comings.map((step) => [step.content, step]));
  const isLeft = ({ content }: StoredStep): boolean => {
    const [begin, end] = [first.get(content), last.get(content)];
    return begin?.action === 'deleted' && end?.action === 'deleted';
  };
  const kept = steps.filter((step) => {
    const [begin, end] = [first.get(step.content), last.get(step.content)];
    if (!begin || !end || (isLeft(step) && step === end)) return true;
    const wasThere = begin.action === 'deleted';
    return wasThere ? !comings.includes(step) : step === end && end.action !== 'deleted';
  });
  // What is done to content while it goes, such as by a rule, is there again only after it has come back.
  const final = new Map(kept.map((step) => [step.content, step]));
  const ordered = kept.flatMap((step) => {
    const end = last.get(step.content);
    if (!end || !isLeft(step)) return [step];
    if (step === final.get(step.content)) return step === end ? [step] : [step, end];
    return step === end ? [] : [step];
  });
  return ordered.reverse();
}
