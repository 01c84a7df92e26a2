import { Slot } from '../../lib/slots.ts';
import type { Agent } from '../security/caller.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { ContentPlace, DateChanges, PositionChange, Sharing, SiteChange } from './events.ts';

/** The recorded data of each kind of step of the core: the data to undo it, and the data that the list shows. */
export type CoreSteps = {
  created: Record<string, never>;
  /** `source` is the path of the original. */
  copied: { source: string };
  /** `source` is the path before the deletion. */
  restored: { source: string };
  deleted: { recyclable: boolean };
  /** A working copy was removed: `into` is the path of the content that it was checked into. The change of this content is a step of its own. */
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
  /** Addresses that lead elsewhere were added or removed. Without `redirects` there were too many. */
  aliased: { change: 'added' | 'removed'; names: string[]; redirects: readonly StoredRedirect[] | null };
  settings: { panels: string[]; names: string[] };
  /** A change outside of content, such as of a group or a type. */
  site: Omit<SiteChange, 'path'>;
};

/** An address that leads to content or to another address, in its stored form. */
export type StoredRedirect = {
  path: string;
  target: number | null;
  targetUrl: string | null;
  manual: boolean;
  created: string;
};

/** All kinds of steps with their data. Features add their own kinds, which cannot be undone, and describe them in `steps`. */
export interface StepData extends CoreSteps {}

/** A kind of step. */
export type StepAction = keyof StepData;

/** The dates that a transition has changed, in their stored form. */
export type StoredDates = Partial<Record<'effective' | 'expires', { before: string | null; after: string | null }>>;

/** A step of one kind. `path` defaults to the path of the object at the end of the transaction. `agent` made the change, if it was not the user. */
export type StepOf<A extends StepAction> = {
  action: A;
  content: number | null;
  path?: string;
  data: StepData[A];
  agent?: Agent;
};

/** One change that a transaction has made. */
export type Step = { [A in StepAction]: StepOf<A> }[StepAction];

/** The words for a kind of step. */
export type StepDescription<A extends StepAction> = {
  /** Its description, in English as in Plone: clients look for words in it. */
  text(data: StepData[A]): string;
  /** Its entry in the audit log. */
  entry(data: StepData[A]): Pick<AuditEntry, 'action' | 'name' | 'data'>;
  /** The reason why the step cannot be undone. Absent for kinds that can be undone as long as the object exists. */
  final?(path: string): string;
};

/** The descriptions of kinds of steps. */
export type StepDescriptions<A extends StepAction> = { [Action in A]: StepDescription<Action> };

/** The kinds of steps of all features. */
export class StepKinds {
  readonly #descriptions: Partial<StepDescriptions<StepAction>>;

  constructor(descriptions: Partial<StepDescriptions<StepAction>>) {
    this.#descriptions = descriptions;
  }

  /** The description of a kind. Throws when no feature has described it. */
  of<A extends StepAction>(action: A): StepDescription<A> {
    const description = this.#descriptions[action];
    if (!description) throw new Error(`No feature describes the step "${action}"`);
    return description;
  }
}

const stored = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Dates in the form in which they are stored. */
export const storedDates = (dates: DateChanges): StoredDates =>
  Object.fromEntries(
    Object.entries(dates).map(([name, { before, after }]) => [name, { before: stored(before), after: stored(after) }]),
  );

/** The kinds of steps of a kernel. */
export const STEP_KINDS = new Slot<StepKinds>('kinds of steps');

/** Maximum number of names of fields in a description. */
const MAX_NAMES = 5;

/** The first names of a list, in the form for descriptions of steps. */
export const namesInText = (names: readonly string[]): string =>
  names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')}, …` : names.join(', ');
