import type { Transaction } from '../../database/database.ts';
import { type Notes, noteIn } from '../../database/transaction-notes.ts';
import { Slot } from '../../lib/slots.ts';
import type { Caller } from '../security/caller.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { EventDescription, EventDescriptions } from './event-description.ts';
import type { ContentEvents, EventName } from './events.ts';
import type { Step } from './steps.ts';

/** The events of a dry run, in the form of the record. */
export const NOTED_EVENTS = new Slot<Notes<{ step: Step } | { entry: AuditEntry }>>('events of a rehearsal');

/** A subscriber inside the transaction of the change: its error rolls back the whole change. */
export type Subscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { tx: Transaction; caller: Caller },
) => void | Promise<void>;

/** A subscriber after the commit: it cannot undo the change, and its failure is logged. */
export type AfterCommitSubscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { caller: Caller },
) => void | Promise<void>;

type Listening<N extends EventName> = { subscriber: Subscriber<N>; wants(event: ContentEvents[N]): boolean };
type Lists = { [N in EventName]?: Listening<N>[] };
type AfterLists = { [N in EventName]?: AfterCommitSubscriber<N>[] };

/** The events of the site. Subscribers run one after the other, in the order of their registration. */
export class Events {
  readonly #descriptions: Partial<EventDescriptions<EventName>>;
  readonly #inside: Lists = {};
  readonly #after: AfterLists = {};

  /** `descriptions` are those of all features. */
  constructor(descriptions: Partial<EventDescriptions<EventName>>) {
    this.#descriptions = descriptions;
  }

  /** The names of all events. */
  get names(): EventName[] {
    return Object.keys(this.#descriptions).filter((name): name is EventName => name in this.#descriptions);
  }

  /** The description of an event. Throws when no feature has described it. */
  describe<N extends EventName>(name: N): EventDescription<N> {
    const description = this.#descriptions[name];
    if (!description) throw new Error(`No feature describes the event "${name}"`);
    return description;
  }

  /** Runs `subscriber` in the transaction of every such event, or of those that it wants. */
  on<N extends EventName>(
    name: N,
    subscriber: Subscriber<N>,
    wants: (event: ContentEvents[N]) => boolean = () => true,
  ): void {
    this.describe(name);
    const list: Listening<N>[] = this.#inside[name] ?? [];
    list.push({ subscriber, wants });
    this.#inside[name] = list as Lists[N];
  }

  /** True when an event has a subscriber that wants it. Only in this case, an event outside of a write needs a transaction. */
  isWanted<N extends EventName>(name: N, event: ContentEvents[N]): boolean {
    const inside = (this.#inside[name] ?? []) as Listening<N>[];
    return this.#after[name] !== undefined || inside.some(({ wants }) => wants(event));
  }

  /** Runs `subscriber` once the transaction of such an event is committed, and only then. */
  afterCommit<N extends EventName>(name: N, subscriber: AfterCommitSubscriber<N>): void {
    this.describe(name);
    const list: AfterCommitSubscriber<N>[] = this.#after[name] ?? [];
    list.push(subscriber);
    this.#after[name] = list as AfterLists[N];
  }

  /** Calls all subscribers of an event that happens in `tx`. */
  async emit<N extends EventName>(
    name: N,
    event: ContentEvents[N],
    context: { tx: Transaction; caller: Caller },
  ): Promise<void> {
    const { record } = this.describe(name);
    noteIn(context.tx, NOTED_EVENTS, () => {
      if ('steps' in record) return record.steps(event).map((step) => ({ step }));
      return 'entry' in record ? [{ entry: record.entry(event) }] : [];
    });
    for (const { subscriber, wants } of (this.#inside[name] ?? []) as Listening<N>[])
      if (wants(event)) await subscriber(event, context);
    for (const subscriber of (this.#after[name] ?? []) as AfterCommitSubscriber<N>[]) {
      context.tx.afterCommit(() => subscriber(event, { caller: context.caller }));
    }
  }
}
