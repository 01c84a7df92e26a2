import { type RequestContext, requests, urlOf } from '#core';
import { MINUTE_MS } from '#lib/time/milliseconds';
import type { ChangeItem } from './change-item.ts';
import type { Cursor } from './cursor.ts';
import type { Feed, PlacedItem, Reader } from './feed.ts';
import type { ChangeHub } from './hub.ts';
import { eventText, type Listener, PushStream } from './listener.ts';
import type { Place } from './statements/feed.ts';

/** Events that a stream reads at once before it listens. */
const PAGE = 200;
/** Milliseconds after which a stream ends and its client connects again: it is authenticated again, and may get another process. */
const LIFETIME_MS = 30 * MINUTE_MS;
/** Milliseconds after which a client connects again, and the span over which such clients are spread. */
const RETRY_MS = 1000;
const RETRY_SPREAD_MS = 4000;
/** Milliseconds for which a stream may read stored events: the rights of its caller are checked when the client connects again. */
const CATCHING_UP_MS = 30_000;
/** Milliseconds between two checks if the client has read the bytes that were sent. */
const FULL_MS = 50;

const HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** The name under which the streams of a client are counted. */
const clientOf = ({ caller, clientAddress }: RequestContext): string =>
  caller.id === null ? `address ${requests.networkOf(clientAddress)}` : `user ${caller.id}`;

/** Listeners with one key get the same texts. */
const keyOf = ({ base }: RequestContext, { viewer, filter, events }: Reader): string =>
  JSON.stringify([base, viewer.print, filter, events ?? null]);

const hasRights = ({ caller }: RequestContext): boolean => caller.id !== null || caller.within !== undefined;

/** Milliseconds that a response may take: no longer than its credentials are valid. */
const lifetimeOf = ({ authentication, auth }: RequestContext, mostMs: number): number =>
  Math.max(0, Math.min(mostMs, authentication.until - auth.now().getTime()));

/** The events from a cursor on, as they happen. */
export async function streamedEvents(
  context: RequestContext,
  { feed, hub, reader, cursor }: { feed: Feed; hub: ChangeHub; reader: Reader; cursor: Cursor },
) {
  const { kernel, base } = context;
  const maker = await feed.maker((path) => urlOf(base, path));
  const cursors = await feed.cursors();
  const seal = (place: Place) => cursors.seal({ place, listed: undefined, print: reader.viewer.print });
  const leave = hub.enter(clientOf(context));
  const stream = new PushStream(() => {
    clearTimeout(timer);
    hub.detach(listener);
    leave();
  });
  // An id without an event gives the client its new cursor, also while it sees none of the events.
  const mark = (place: Place): Buffer => Buffer.from(`id: ${seal(place)}\n:\n\n`);
  const listener: Listener = {
    ...{ reader, maker, key: keyOf(context, reader), hasRights: hasRights(context), place: cursor.place },
    deliver: (_items, _through, text) => void stream.send(text()),
    beat: () => void stream.send(mark(listener.place)),
    end: () => stream.finish(),
  };
  const timer = setTimeout(() => stream.finish(), lifetimeOf(context, LIFETIME_MS)).unref();

  /** Sends the stored events, as quickly as the client reads them, and then listens. */
  async function catchUp(): Promise<void> {
    const ends = Date.now() + CATCHING_UP_MS;
    while (!stream.destroyed) {
      if (Date.now() > ends || hub.isClosed) return stream.finish();
      if (stream.readableLength > 0) {
        await new Promise((resolve) => setTimeout(resolve, FULL_MS));
        continue;
      }
      const { items, through, more } = await feed.page(reader, maker, { after: listener.place, limit: PAGE });
      listener.place = through;
      const texts = items.map(({ item, place }) => eventText(item, seal(place)));
      if (texts.length > 0) stream.send(Buffer.from(texts.join('')));
      if (!more && (stream.destroyed || hub.attach(listener))) return;
    }
  }

  const retry = RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS);
  stream.send(Buffer.from(`retry: ${retry}\nid: ${seal(cursor.place)}\n:\n\n`));
  void catchUp().catch((error: unknown) => {
    kernel.log.error({ err: error }, 'a stream of changes broke off');
    stream.finish();
  });
  return { status: 200 as const, headers: HEADERS, contentType: 'text/event-stream; charset=utf-8', stream };
}

/** A page that is sent with the next event, or after so many seconds. */
export async function waitedFor(
  context: RequestContext,
  options: {
    feed: Feed;
    hub: ChangeHub;
    reader: Reader;
    place: Place;
    seconds: number;
    limit: number;
    bodyOf(items: readonly ChangeItem[], through: Place, more: boolean): object;
  },
) {
  const { feed, hub, reader, limit, bodyOf } = options;
  const { kernel, base } = context;
  const maker = await feed.maker((path) => urlOf(base, path));
  const leave = hub.enter(clientOf(context));
  const stream = new PushStream(() => {
    clearTimeout(timer);
    hub.detach(listener);
    leave();
  });
  const respond = (items: readonly PlacedItem[], through: Place, more = false): void => {
    hub.detach(listener);
    const sent = items.slice(0, limit);
    const isPart = sent.length < items.length;
    const end = isPart ? (sent.at(-1)?.place ?? through) : through;
    const body = bodyOf(
      sent.map(({ item }) => item),
      end,
      more || isPart,
    );
    stream.send(Buffer.from(JSON.stringify(body)));
    stream.finish();
  };
  const listener: Listener = {
    ...{ reader, maker, key: keyOf(context, reader), hasRights: hasRights(context), place: options.place },
    deliver: (items, through) => respond(items, through),
    beat: () => undefined,
    end: () => respond([], options.place),
  };
  const timer = setTimeout(() => respond([], listener.place), lifetimeOf(context, options.seconds * 1000)).unref();

  /** Reads events from before the listener was attached. */
  async function attach(): Promise<void> {
    while (!stream.destroyed && !hub.attach(listener)) {
      const { items, through, more } = await feed.page(reader, maker, { after: listener.place, limit });
      if (items.length > 0) return respond(items, through, more);
      listener.place = through;
    }
  }

  void attach().catch((error: unknown) => {
    kernel.log.error({ err: error }, 'a response with changes broke off');
    stream.destroy();
  });
  return { status: 200 as const, headers: HEADERS, contentType: 'application/json', stream };
}
