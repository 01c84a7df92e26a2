import { Type } from 'typebox';
import {
  defineService,
  journal,
  ok,
  publishing,
  type RequestContext,
  requests,
  type Service,
  schemas,
  urlOf,
} from '#core';
import { ChangeItem, listedItem } from './change-item.ts';
import type { Cursor } from './cursor.ts';
import { FEED_OF, type Feed, type Reader } from './feed.ts';
import { HUB } from './hub.ts';
import { listSeen } from './statements/compare.ts';
import { streamedEvents, waitedFor } from './streams.ts';
import { viewerOf } from './viewer.ts';

/** Events and objects in one response. */
const MAX_ITEMS = 500;
/** Seconds that a request may wait for a change. */
const MAX_WAIT = 60;
/** Names in one filter. */
const MAX_NAMES = 50;
const MAX_CURSOR_LENGTH = 500;
/** Stands for a feed that begins with the next event. */
const NOW = 'now';

const Names = (description: string) =>
  Type.Optional(schemas.Tokens({ description, maxItems: MAX_NAMES, message: `must be at most ${MAX_NAMES} names` }));

const ChangesQuery = Type.Object({
  since: Type.Optional(
    schemas.Text({
      description:
        'The cursor of the last response. Without it the response begins the list of all content, which ends with a cursor; `now` only returns one.',
      maxLength: MAX_CURSOR_LENGTH,
    }),
  ),
  path: Type.Optional(schemas.Text({ description: 'Only of what was or is there and below.', maxLength: 10_000 })),
  type: Names('Only of objects of these types.'),
  language: Names('Only of objects in these languages.'),
  event: Type.Optional(
    Type.Array(schemas.Choice(journal.FEED_EVENTS as unknown as [string, ...string[]]), {
      description: 'Only these events, of those that are not in the list of all content.',
      maxItems: MAX_NAMES,
      commas: true,
    }),
  ),
  limit: Type.Integer({
    description: 'Most items in the response.',
    minimum: 1,
    maximum: MAX_ITEMS,
    default: 100,
    message: `must be a whole number from 1 to ${MAX_ITEMS}`,
  }),
  wait: Type.Integer({
    description: 'Seconds to wait for the next event, where there is nothing to return yet.',
    minimum: 0,
    maximum: MAX_WAIT,
    default: 0,
    message: `must be a whole number from 0 to ${MAX_WAIT}`,
  }),
});

const ChangePage = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(ChangeItem),
  cursor: Type.String({ description: 'Where to go on: `since` of the next request.' }),
  more: Type.Boolean({ description: 'The next request will find more at once.' }),
});

/** Says if a client asks for server-sent events. */
const wantsEvents = ({ headers }: RequestContext): boolean =>
  [headers.accept ?? []]
    .flat()
    .join(',')
    .split(',')
    .some((range) => /^\s*text\/event-stream\s*(?:;|$)/i.test(range) && !/;\s*q=0(?:\.0+)?\s*(?:;|$)/i.test(range));

/** The path of a filter, with or without slashes at its ends. */
function pathOf(text: string | undefined): string | undefined {
  const path = text?.replace(/^\/+|\/+$/g, '');
  return path === undefined || path === '' ? undefined : `/${path}`;
}

type Query = { path?: string; type?: string[]; language?: string[]; event?: string[] };

const readerOf = ({ caller }: RequestContext, { path, type, language, event }: Query): Reader => ({
  viewer: viewerOf(caller),
  filter: { path: pathOf(path), types: type, languages: language },
  events: event,
});

/** The next part of the list of all content; after the list the feed continues from its place at the beginning of the list. */
async function listPage(
  context: RequestContext,
  feed: Feed,
  reader: Reader,
  { cursor, limit }: { cursor: Cursor; limit: number },
) {
  const { kernel, base, site } = context;
  const maker = await feed.maker((path) => urlOf(base, path));
  const { viewer, filter } = reader;
  const narrowed = { ...filter, principals: viewer.principals };
  const isDated = publishing.datesAct(site);
  const rows = await listSeen(kernel.db, { after: cursor.listed ?? 0, limit, isDated }, narrowed);
  const listed = rows.length < limit ? undefined : rows.at(-1)?.oid;
  const at = new Date();
  const items = rows.filter(({ viewers, path }) => viewer.sees(viewers, path)).map((row) => listedItem(row, maker, at));
  return { items, cursor: { ...cursor, listed } };
}

/** The start of a request: its cursor, or the beginning of the list. */
async function startOf(feed: Feed, { viewer }: Reader, since: string | undefined): Promise<Cursor> {
  if (since !== undefined && since !== NOW) return feed.open(since, viewer);
  return { place: await feed.head(), listed: since === NOW ? undefined : 0, print: viewer.print };
}

/** GET `@changes`: the events of the content that the caller sees. */
const getChanges = defineService({
  name: '@changes',
  method: 'GET',
  context: 'site',
  permission: null,
  summary: 'Lists what has happened to content since a cursor, waits for it, or sends it as server-sent events.',
  query: ChangesQuery,
  headers: {
    'Last-Event-ID': { description: 'The cursor of the last event, as browsers send it. It goes before `since`.' },
  },
  responses: {
    200: {
      description: 'The events in their order. With `Accept: text/event-stream` they are sent as they happen.',
      schema: ChangePage,
      otherType: 'text/event-stream',
    },
    410: { description: 'The cursor is too old, or was made with other rights: read the list of all content again.' },
    429: { description: 'The caller listens too many times at once.' },
    503: { description: 'Too many clients listen.' },
  },
  async run(context) {
    const { kernel, base, query } = context;
    const feed = kernel.slots.get(FEED_OF);
    const reader = readerOf(context, query);
    const isStream = wantsEvents(context);
    const lastEvent = isStream ? requests.headerOf(context, 'last-event-id') : undefined;
    // A stream has no list of all content: it begins with the next event.
    const cursor = await startOf(feed, reader, lastEvent ?? query.since ?? (isStream ? NOW : undefined));
    if (isStream) return streamedEvents(context, { feed, hub: kernel.slots.get(HUB), reader, cursor });
    const url = `${base}/@changes`;
    const cursors = await feed.cursors();
    if (cursor.listed !== undefined) {
      const page = await listPage(context, feed, reader, { cursor, limit: query.limit });
      const body = {
        '@id': url,
        items: page.items,
        cursor: cursors.seal(page.cursor),
        more: page.cursor.listed !== undefined,
      };
      return ok(body, { 'Cache-Control': 'no-store' });
    }
    const maker = await feed.maker((path) => urlOf(base, path));
    const seal = (place: Cursor['place']) => cursors.seal({ place, listed: undefined, print: reader.viewer.print });
    const page =
      query.since === NOW
        ? { items: [], through: cursor.place, more: false }
        : await feed.page(reader, maker, { after: cursor.place, limit: query.limit });
    if (page.items.length === 0 && query.wait > 0)
      return waitedFor(context, {
        ...{ feed, hub: kernel.slots.get(HUB), reader, place: page.through, seconds: query.wait, limit: query.limit },
        bodyOf: (items, through, more) => ({ '@id': url, items, cursor: seal(through), more }),
      });
    const body = { '@id': url, items: page.items.map(({ item }) => item), cursor: seal(page.through), more: page.more };
    return ok(body, { 'Cache-Control': 'no-store' });
  },
});

export const changeServices: Service[] = [getChanges];
