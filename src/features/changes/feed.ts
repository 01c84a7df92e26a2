import { isOpen, type Kernel, outsideCaches } from '#core';
import { BadRequest, Gone } from '#lib/errors';
import { Slot } from '#lib/slots';
import { type ChangeItem, type ItemMaker, itemOf, seenEvent } from './change-item.ts';
import { type Cursor, type Cursors, loadCursors } from './cursor.ts';
import {
  eventsBetween,
  type FeedFilter,
  findHead,
  hasPlace,
  hasUnplaced,
  type Place,
  placeEvents,
} from './statements/feed.ts';
import type { Viewer } from './viewer.ts';

/** Rows that one statement of a page loads. */
const BATCH = 500;

/** A reader of the feed: its rights and its filter. `events` are names of events as the reader sees them. */
export type Reader = { viewer: Viewer; filter: Omit<FeedFilter, 'principals'>; events: readonly string[] | undefined };

/** An event as a reader gets it, with its place. */
export type PlacedItem = { item: ChangeItem; place: Place };

/** Part of a feed. All events up to the place `through` are read; `more` says that the reader may continue at once. */
export type FeedPage = { items: PlacedItem[]; through: Place; more: boolean };

const RIGHTS_CHANGED =
  'Your rights are not those with which this cursor was made. Read the whole list again, by a request without "since": it ends with a new cursor.';
const TOO_OLD =
  'This cursor is too old: the site does not have the changes since any more. Read the whole list again, by a request without "since": it ends with a new cursor.';

/** The feed of changes of a process. */
export class Feed {
  readonly #kernel: Kernel;
  #cursors: Promise<Cursors> | undefined;
  #placing: Promise<void> | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The cursors of the site. */
  async cursors(): Promise<Cursors> {
    this.#cursors ??= loadCursors(this.#kernel.db);
    try {
      return await this.#cursors;
    } catch (error) {
      this.#cursors = undefined;
      throw error;
    }
  }

  /** Gives a place to all events of transactions that are committed by now. Calls at the same time share the work. */
  async place(): Promise<void> {
    const { db } = this.#kernel;
    if (!(await hasUnplaced(db))) return;
    this.#placing ??= (async () => {
      try {
        while (await db.transaction(placeEvents));
      } finally {
        this.#placing = undefined;
      }
    })();
    await this.#placing;
  }

  /** Gives places to all events of transactions that are committed by now, and returns the last place. */
  async head(): Promise<Place> {
    await this.place();
    // A transaction may have been committed while this call waited for shared work: its events need places, too.
    await this.place();
    return findHead(this.#kernel.db);
  }

  /** Returns the maker of items with addresses by `addressOf`. It names no field that only some readers of an object may read. */
  async maker(addressOf: (path: string) => string): Promise<ItemMaker> {
    const { sites, slots } = this.#kernel;
    const fieldsOf = (type: string, names: readonly string[]): string[] => {
      const fields = sites.last?.types.get(type)?.fieldByName;
      if (!fields) return [];
      return names.filter((name) => {
        const field = fields.get(name);
        return field === undefined || isOpen(field);
      });
    };
    return { addressOf, fieldsOf, keysOf: await slots.get(outsideCaches.SLOT).keys() };
  }

  /**
   * Opens the cursor of a viewer.
   * @throws BadRequest for a text that is no cursor of this site @throws Gone for a cursor whose place is no longer in the feed, or that was made
   * with other rights
   */
  async open(text: string, viewer: Viewer): Promise<Cursor> {
    const cursor = (await this.cursors()).open(text);
    if (!cursor) throw new BadRequest('"since" is no cursor of this site. Send one as a response had it, or none.');
    if (cursor.print !== viewer.print) throw new Gone(RIGHTS_CHANGED, 'RightsChanged');
    if (!(await hasPlace(this.#kernel.db, cursor.place))) throw new Gone(TOO_OLD, 'CursorTooOld');
    return cursor;
  }

  /** The events behind a place for a reader, at most `limit`. */
  async page(reader: Reader, maker: ItemMaker, { after, limit }: { after: Place; limit: number }): Promise<FeedPage> {
    const until = await this.head();
    const filter = { ...reader.filter, principals: reader.viewer.principals };
    const items: PlacedItem[] = [];
    for (let through = after; ; ) {
      const bounds = { after: through.position, until: until.position, limit: BATCH };
      const rows = await eventsBetween(this.#kernel.db, bounds, filter);
      for (const row of rows) {
        if (items.length === limit) return { items, through, more: true };
        through = { position: row.position, id: row.id };
        const item = itemFor(reader, maker, row);
        if (item) items.push({ item, place: through });
      }
      if (rows.length < BATCH) return { items, through: until, more: false };
    }
  }
}

/** The event of a row as a reader gets it; undefined for an event that the reader does not see, or has filtered out. */
export function itemFor(
  { viewer, filter, events }: Reader,
  maker: ItemMaker,
  row: Parameters<typeof seenEvent>[0],
): ChangeItem | undefined {
  const { path, types, languages } = filter;
  if (types && !types.includes(row.type)) return undefined;
  const seen = seenEvent(row, viewer);
  if (!seen || (events && !events.includes(seen.event))) return undefined;
  const { before, after } = seen;
  const seenLanguages = [before === null ? null : row.languageBefore, after === null ? null : row.language];
  if (languages && !seenLanguages.some((one) => one !== null && languages.includes(one))) return undefined;
  if (path !== undefined && ![before, after].some((at) => at !== null && isBelow(at, path))) return undefined;
  return itemOf(seen, maker);
}

const isBelow = (at: string, path: string): boolean => path === '/' || at === path || at.startsWith(`${path}/`);

/** The feed of a kernel. */
export const FEED_OF = new Slot<Feed>('feed of changes');
