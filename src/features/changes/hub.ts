import { type BackgroundWork, CHANGE_FEED, claims, type Kernel, panelSettings } from '#core';
import { ServiceUnavailable, TooManyRequests } from '#lib/errors';
import { Slot } from '#lib/slots';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { type Feed, itemFor, type PlacedItem } from './feed.ts';
import { keepFeed } from './keep-feed.ts';
import { eventText, type Listener } from './listener.ts';
import { changesPanel } from './panel.ts';
import { type EventRow, eventsBetween, FEED, findHead, type Place } from './statements/feed.ts';

/** Rows that are sent to listeners at once. */
const BATCH = 200;
/** Milliseconds between two polls while clients listen, for changes of a process that ended before its notification. */
const LISTENING_MS = 1000;
/** Milliseconds between two polls without listeners. */
const IDLE_MS = 10 * MINUTE_MS;
/** Milliseconds between two signs of life to one listener. */
const BEAT_MS = 20_000;
/** Number of parts of `BEAT_MS`, in each of which a share of the listeners gets the sign. */
const BEATS = 20;
/** Seconds after which a client that found no place tries again. */
const RETRY_SECONDS = 10;

const KIND: claims.Kind = { name: FEED, concurrency: 1, pollMs: IDLE_MS, minWaitMs: 20 };

/** A batch of the feed for a group of listeners with the same rights and filter. */
type Made = { items: PlacedItem[]; text: () => Buffer };

/** The listeners of a process. They share the polls of the process: no statement is for a single listener. */
export class ChangeHub {
  readonly #kernel: Kernel;
  readonly #feed: Feed;
  readonly #listeners = new Set<Listener>();
  readonly #perClient = new Map<string, number>();
  readonly #beats: Set<Listener>[] = Array.from({ length: BEATS }, () => new Set());
  #places = 0;
  #isClosed = false;
  #nextBeat = 0;
  #timer: NodeJS.Timeout | undefined;
  #worker: claims.Worker | undefined;
  /** Everything up to this place was sent to the listeners; undefined without listeners. */
  #through: Place | undefined;
  #version = 0;

  constructor(kernel: Kernel, feed: Feed) {
    this.#kernel = kernel;
    this.#feed = feed;
  }

  /** Says if the server is closing, so that streams begin no more reads. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of clients that listen. */
  get size(): number {
    return this.#places;
  }

  /** Polls now. */
  wake(): void {
    this.#worker?.wake();
  }

  /** Starts polling, and the upkeep of the feed. */
  async start(): Promise<BackgroundWork> {
    const keep = keepFeed(this.#kernel);
    const worker = await claims.startWorker({
      db: this.#kernel.db,
      log: this.#kernel.log,
      kind: KIND,
      prepare: async () => {
        await this.#look();
        const againMs = await keep();
        return { isReady: false, againMs: this.#listeners.size > 0 ? LISTENING_MS : againMs };
      },
      begin: async () => undefined,
    });
    this.#worker = worker;
    return {
      release: () => {
        this.#isClosed = true;
        for (const listener of this.#listeners) listener.end();
      },
      close: () => worker.close(),
    };
  }

  /**
   * Takes a place for a listener of the client with the name `client`. Returns the function that frees the place.
   * @throws TooManyRequests and ServiceUnavailable when there is no room
   */
  enter(client: string): () => void {
    const { last } = this.#kernel.sites;
    const { listeners, listeners_per_client } = last
      ? panelSettings(last, changesPanel)
      : { listeners: 0, listeners_per_client: 0 };
    const own = this.#perClient.get(client) ?? 0;
    if (own >= listeners_per_client)
      throw new TooManyRequests('You listen to changes too many times at once. End another one first.', RETRY_SECONDS);
    if (this.#isClosed || this.#places >= listeners)
      throw new ServiceUnavailable('Too many clients listen to changes. Try again in a moment.', RETRY_SECONDS);
    this.#places += 1;
    this.#perClient.set(client, own + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#places -= 1;
      const left = (this.#perClient.get(client) ?? 1) - 1;
      if (left === 0) this.#perClient.delete(client);
      else this.#perClient.set(client, left);
    };
  }

  /**
   * Lets a listener get everything behind its place from now on. Returns false when the other listeners have got later events already: the caller has
   * to read the missing events itself, and to try again.
   */
  attach(listener: Listener): boolean {
    if (this.#isClosed) {
      listener.end();
      return true;
    }
    if (this.#through && listener.place.position < this.#through.position) return false;
    if (this.#listeners.size === 0) this.#begin(listener.place);
    this.#listeners.add(listener);
    this.#beats[Math.floor(Math.random() * BEATS)]?.add(listener);
    // A poll at once finds changes that were committed since the listener has read.
    this.wake();
    return true;
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener);
    for (const beat of this.#beats) beat.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#through = undefined;
  }

  #begin(place: Place): void {
    this.#through = place;
    this.#version = this.#kernel.slots.get(CHANGE_FEED).version;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(), BEAT_MS / BEATS).unref();
  }

  #beat(): void {
    this.#nextBeat = (this.#nextBeat + 1) % BEATS;
    for (const listener of this.#beats[this.#nextBeat] ?? []) listener.beat();
  }

  /** Reads new events and sends them. */
  async #look(): Promise<void> {
    if (this.#listeners.size === 0) return;
    const { db } = this.#kernel;
    await this.#feed.place();
    const head = await findHead(db);
    for (;;) {
      const from = this.#through;
      if (!from || from.position >= head.position) break;
      const rows = await eventsBetween(db, { after: from.position, until: head.position, limit: BATCH });
      await this.#endLostRights();
      const last = rows.at(-1);
      // Listeners have begun anew meanwhile, or all have left.
      if (this.#through !== from) continue;
      if (!last) break;
      this.#through = { position: last.position, id: last.id };
      await this.#send(rows, from, this.#through);
    }
    await this.#endLostRights();
  }

  /** Ends listeners whose rights may have changed. Their clients connect again, and are authenticated again. */
  async #endLostRights(): Promise<void> {
    const changes = this.#kernel.slots.get(CHANGE_FEED);
    const version = await changes.current();
    const isAnything = version !== this.#version && changes.changesSince(this.#version) === 'anything';
    this.#version = version;
    if (isAnything) for (const listener of this.#listeners) if (listener.hasRights) listener.end();
  }

  async #send(rows: readonly EventRow[], from: Place, through: Place): Promise<void> {
    const cursors = await this.#feed.cursors();
    const made = new Map<string, Made>();
    const make = ({ reader, maker }: Listener, some: readonly EventRow[]): Made => {
      const items = some.flatMap((row) => {
        const item = itemFor(reader, maker, row);
        return item ? [{ item, place: { position: row.position, id: row.id } }] : [];
      });
      let bytes: Buffer | undefined;
      const textNow = (): Buffer =>
        Buffer.from(
          items
            .map(({ item, place }) =>
              eventText(item, cursors.seal({ place, listed: undefined, print: reader.viewer.print })),
            )
            .join(''),
        );
      return { items, text: () => (bytes ??= textNow()) };
    };
    for (const listener of this.#listeners) {
      const { position } = listener.place;
      // Some listeners have read a part of the batch by themselves.
      const isShared = position <= from.position;
      const known = isShared ? made.get(listener.key) : undefined;
      const own = known ?? make(listener, isShared ? rows : rows.filter((row) => row.position > position));
      if (isShared && !known) made.set(listener.key, own);
      if (position < through.position) listener.place = through;
      if (own.items.length > 0) listener.deliver(own.items, through, own.text);
    }
  }
}

/** The listeners of a kernel. */
export const HUB = new Slot<ChangeHub>('listeners to changes');
