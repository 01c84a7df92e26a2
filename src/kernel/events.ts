import type { Caller } from '../security/caller.ts';
import type { Site } from '../site/site.ts';
import type { Transaction } from '../storage/database.ts';

/** What happened to content and its comments. Subscribers get the number of the object: they read what they need in the transaction. */
export type ContentEvents = {
  /** `note` is the client's comment. Without `site` the object gets no version of its own before its first change. */
  'content.created': { oid: number; site?: Site; note?: string };
  /**
   * `fields`: names of the fields and columns that changed; `before`: their stored values before, in the form of
   * `joinColumns`. The versions are made of them, so every change of fields or layout must be told.
   */
  'content.modified': {
    oid: number;
    fields: string[];
    before: Record<string, unknown>;
    site: Site;
    note?: string;
  };
  /** Before the object and everything below it go; with `recyclable` they may be kept for somebody who wants them back. */
  'content.removing': { oid: number; path: string; site: Site; recyclable: boolean };
  /** An object and everything below it were copied from the path `from` to `to`; `oid` is the copy. One event for all copies. */
  'content.copied': { oid: number; from: string; to: string };
  /** An object and everything below it came back from the recycle bin: `from` is where it was deleted. One event for all. */
  'content.restored': { oid: number; from: string; to: string };
  'content.moved': { oid: number; from: string; to: string };
  'content.transitioned': { oid: number; transition: string; from: string; to: string; comment: string };
  /** Local roles or their inheritance changed. */
  'content.shared': { oid: number };
  'content.reordered': { parent: number };
  /** Somebody commented on the object `oid`; `comment` is the id of the comment. */
  'comment.created': { oid: number; comment: string };
  'comment.changed': { oid: number; comment: string };
  /** Before a comment and all replies to it go. Comments that go with their object have no event of their own. */
  'comment.removing': { oid: number; comment: string };
  'comment.transitioned': { oid: number; comment: string; from: string; to: string };
  /** An object became a translation of others, or is none any longer. */
  'content.translated': { oid: number };
};

export type EventName = keyof ContentEvents;

/** A subscriber inside the transaction of the change: when it throws, nothing of the change remains. */
export type Subscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { tx: Transaction; caller: Caller },
) => void | Promise<void>;

/** A subscriber after the commit: it can undo nothing; a failure is logged. */
export type AfterCommitSubscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { caller: Caller },
) => void | Promise<void>;

type Lists = { [N in EventName]?: Subscriber<N>[] };
type AfterLists = { [N in EventName]?: AfterCommitSubscriber<N>[] };

/** The events of the site. Subscribers run one after the other, in the order of their registration. */
export class Events {
  readonly #inside: Lists = {};
  readonly #after: AfterLists = {};

  /** Runs `subscriber` in the transaction of every such event. */
  on<N extends EventName>(name: N, subscriber: Subscriber<N>): void {
    const list: Subscriber<N>[] = this.#inside[name] ?? [];
    list.push(subscriber);
    this.#inside[name] = list as Lists[N];
  }

  /** Runs `subscriber` once the transaction of such an event is committed, and only then. */
  afterCommit<N extends EventName>(name: N, subscriber: AfterCommitSubscriber<N>): void {
    const list: AfterCommitSubscriber<N>[] = this.#after[name] ?? [];
    list.push(subscriber);
    this.#after[name] = list as AfterLists[N];
  }

  /** Tells all subscribers of an event that happens in `tx`. */
  async emit<N extends EventName>(
    name: N,
    event: ContentEvents[N],
    context: { tx: Transaction; caller: Caller },
  ): Promise<void> {
    for (const subscriber of (this.#inside[name] ?? []) as Subscriber<N>[]) await subscriber(event, context);
    for (const subscriber of (this.#after[name] ?? []) as AfterCommitSubscriber<N>[]) {
      context.tx.afterCommit(() => subscriber(event, { caller: context.caller }));
    }
  }
}
