import { type BackgroundWork, callers, claims, type Kernel, queue, siteAddress } from '#core';
import { Slot } from '#lib/slots';
import { MINUTE_MS } from '#lib/time/milliseconds';
import type { ItemMaker } from '../changes/change-item.ts';
import { FEED_OF, type Feed, itemFor, type Reader } from '../changes/feed.ts';
import { eventsBetween, FEED, findHead, hasPlace, type Place } from '../changes/statements/feed.ts';
import { type Viewer, viewerOf } from '../changes/viewer.ts';
import { MESSAGES, messageOf } from './messages.ts';
import { noteAttempt } from './statements/attempts.ts';
import { claimWebhook, countWaiting, listWebhooks, moveWebhook, type WebhookRow } from './statements/webhooks.ts';

/** Rows of the feed that one transaction reads for a webhook. */
const BATCH = 200;
/** Maximum number of waiting messages of one webhook, so that a silent receiver leaves room for others. The feed has the rest. */
export const MAX_WAITING_OF_ONE = 1000;
/** Milliseconds between two polls of a process without notifications: while there are webhooks, and otherwise. */
const POLL_MS = 5000;
const IDLE_MS = 10 * MINUTE_MS;

/** Notifications of the feed wake the dispatcher. */
const KIND: claims.Kind = { name: FEED, concurrency: 1, pollMs: IDLE_MS, minWaitMs: 20 };

const LOST =
  'The events since the last message are not there any more: the feed was put back, or the webhook was off for too long. It goes on with what happens from now on.';

const visitor: Viewer = viewerOf(callers.ANONYMOUS);
const everybody: Viewer = { principals: [], print: '', sees: (_viewers, path) => path !== null };

const allNames: ItemMaker['fieldsOf'] = (_type, names) => [...names];

const someOf = (names: readonly string[]): readonly string[] | undefined => (names.length === 0 ? undefined : names);

/** A webhook as a reader of the feed. */
const readerOf = ({ audience, events, types, languages, path }: WebhookRow): Reader => ({
  viewer: audience === 'everything' ? everybody : visitor,
  filter: { path: path ?? undefined, types: someOf(types), languages: someOf(languages) },
  events: someOf(events),
});

/** Queues messages about events, for all webhooks of the site. */
export class Dispatcher {
  readonly #kernel: Kernel;
  readonly #feed: Feed;
  #worker: claims.Worker | undefined;
  #active = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#feed = kernel.slots.get(FEED_OF);
  }

  /** Says if a webhook was active at the last poll of this process. */
  get isWanted(): boolean {
    return this.#active > 0;
  }

  /** Polls now. */
  wake(): void {
    this.#worker?.wake();
  }

  async start(): Promise<BackgroundWork> {
    const { db, log } = this.#kernel;
    const worker = await claims.startWorker({
      ...{ db, log, kind: KIND },
      prepare: async () => {
        await this.#look();
        return { isReady: false, againMs: this.#active > 0 ? POLL_MS : IDLE_MS };
      },
      begin: async () => undefined,
    });
    this.#worker = worker;
    return worker;
  }

  async #look(): Promise<void> {
    const { db, sites } = this.#kernel;
    const webhooks = (await listWebhooks(db)).filter(({ enabled, paused }) => enabled && paused === null);
    this.#active = webhooks.length;
    if (webhooks.length === 0) return;
    await this.#feed.place();
    const head = await findHead(db);
    const site = await sites.current();
    const maker = await this.#feed.maker((path) => siteAddress.ofContent(this.#kernel, site, path));
    for (const { id, position } of webhooks) {
      if (position !== null && position >= head.position) continue;
      while (await this.#dispatch(id, head, maker));
    }
  }

  /** Queues messages of the next events for a webhook. Returns true when there may be more. */
  #dispatch(id: string, head: Place, maker: ItemMaker): Promise<boolean> {
    return this.#kernel.db.transaction(async (tx) => {
      const webhook = await claimWebhook(tx, id);
      if (!webhook) return false;
      const { position, event, audience } = webhook;
      if (position === null || event === null) {
        await moveWebhook(tx, id, head);
        return false;
      }
      if (!(await hasPlace(tx, { position, id: event }))) {
        await noteAttempt(tx, id, { message: '', type: 'lost', path: '', attempt: 0, status: null, problem: LOST });
        await moveWebhook(tx, id, head);
        return false;
      }
      if ((await countWaiting(tx, MESSAGES.name, id, MAX_WAITING_OF_ONE)) >= MAX_WAITING_OF_ONE) return false;
      const reader = readerOf(webhook);
      const principals = audience === 'everything' ? undefined : reader.viewer.principals;
      const rows = await eventsBetween(
        tx,
        { after: position, until: head.position, limit: BATCH },
        { ...reader.filter, principals },
      );
      const messages = rows.flatMap((row) => {
        const item = itemFor(reader, audience === 'everything' ? { ...maker, fieldsOf: allNames } : maker, row);
        return item ? [{ topic: id, data: messageOf(item, row.position) }] : [];
      });
      // Without room in the queue they are queued later, because the feed has them.
      if (messages.length > 0 && !(await queue.enqueue(tx, MESSAGES, messages))) return false;
      const isOver = rows.length < BATCH;
      const last = rows.at(-1);
      await moveWebhook(tx, id, isOver || !last ? head : { position: last.position, id: last.id });
      return !isOver;
    });
  }
}

/** The dispatcher of a kernel. */
export const DISPATCHER = new Slot<Dispatcher>('dispatcher of webhooks');
