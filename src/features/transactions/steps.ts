import type { ContentPlace, DateChanges, PositionChange, Sharing, SiteChange } from '../../kernel/events.ts';

/** The recorded data of each kind of change: what undoing it needs, and what the list shows. */
type StepData = {
  created: Record<string, never>;
  /** `source` is the path of the original. */
  copied: { source: string };
  /** `source` is where it was deleted. */
  restored: { source: string };
  deleted: { recyclable: boolean };
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

/** One change that a transaction has made. Without `path` it is where the object is at the end of the transaction. */
export type Step = {
  [A in StepAction]: { action: A; content: number | null; path?: string; data: StepData[A] };
}[StepAction];

/** A step as it was stored. */
export type StoredStep = Step & { path: string; version: number | null };

const stored = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Dates in the form in which they are stored. */
export const storedDates = (dates: DateChanges): StoredDates =>
  Object.fromEntries(
    Object.entries(dates).map(([name, { before, after }]) => [name, { before: stored(before), after: stored(after) }]),
  );

/** Actions that bring content into the tree: who undoes them removes it, and with it whatever else was done to it. */
export const BRINGING: ReadonlySet<StepAction> = new Set<StepAction>(['created', 'copied', 'restored']);
