import { type Static, Type } from 'typebox';
import { journal, schemas } from '#core';
import { isJsonObject } from '#lib/json-object';
import type { ListedRow } from './statements/compare.ts';
import type { EventRow } from './statements/feed.ts';
import type { Viewer } from './viewer.ts';

const PlaceOf = (description: string) =>
  schemas.Nullable(Type.Object({ path: Type.String(), '@id': Type.String({ format: 'uri' }) }), { description });

/** An event of content as a reader gets it. */
export const ChangeItem = Type.Object({
  id: Type.String({ description: 'Names the event: a reader that has seen it does nothing.' }),
  event: Type.Enum(['present', ...journal.FEED_EVENTS], {
    description: '`present` in the full list; what has happened for this reader otherwise.',
  }),
  time: Type.String({ format: 'date-time', description: 'When the change was made.' }),
  path: Type.String({ description: 'Where it is; where it was, if it is gone.' }),
  '@id': Type.String({ format: 'uri' }),
  UID: Type.String(),
  '@type': Type.String(),
  language: schemas.Nullable(Type.String()),
  fields: Type.Array(Type.String(), {
    description:
      'Names of the changed fields of `changed`; `items` for the order of children, `translations` for links between translations.',
  }),
  state: schemas.Nullable(Type.Object({ from: schemas.Nullable(Type.String()), to: schemas.Nullable(Type.String()) }), {
    description: 'The workflow states of `state`; else null.',
  }),
  before: PlaceOf('Where it was; null where it was not there, or not visible.'),
  after: PlaceOf('Where it is; null where it is gone, or not visible any more.'),
  keys: Type.Array(Type.String(), {
    description: 'Surrogate keys of the responses that may be others now, as the site sends them to caches outside.',
  }),
});

export type ChangeItem = Static<typeof ChangeItem>;

/** An event as one reader sees it, without addresses. */
export type SeenEvent = { event: journal.FeedEvent; before: string | null; after: string | null; row: EventRow };

const isFeedEvent = (name: string): name is journal.FeedEvent => journal.FEED_EVENTS.some((known) => known === name);

/** An event as one reader sees it; undefined for a reader that sees the object neither before nor after. */
export function seenEvent(row: EventRow, viewer: Viewer): SeenEvent | undefined {
  if (!isFeedEvent(row.event)) return undefined;
  const before = viewer.sees(row.viewersBefore, row.pathBefore) ? row.pathBefore : null;
  const after = viewer.sees(row.viewers, row.path) ? row.path : null;
  if (before === null && after === null) return undefined;
  if (after === null) return { event: 'removed', before, after, row };
  if (before === null) return { event: row.event === 'restored' ? 'restored' : 'created', before, after, row };
  return { event: row.event, before, after, row };
}

/** Functions for making items: addresses by paths, the names of surrogate keys, and the names of the fields of a type that readers may read. */
export type ItemMaker = {
  addressOf(path: string): string;
  fieldsOf(type: string, names: readonly string[]): string[];
  keysOf(change: { objects: ReadonlySet<number>; containers: ReadonlySet<number> }): string[];
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** An event as JSON. */
export function itemOf(
  { event, before, after, row }: SeenEvent,
  { addressOf, keysOf, fieldsOf }: ItemMaker,
): ChangeItem {
  const path = after ?? before ?? '/';
  const placeAt = (at: string | null) => (at === null ? null : { path: at, '@id': addressOf(at) });
  // Only readers who saw the object before get the details.
  const { fields, state } = event === row.event ? row.data : {};
  // A container in which the reader does not see the object is left out.
  const containers = [before === null ? null : row.parentBefore, after === null ? null : row.parent].filter(
    (oid) => oid !== null,
  );
  return {
    id: row.id,
    event,
    time: row.at.toISOString(),
    path,
    '@id': addressOf(path),
    UID: row.uid,
    '@type': row.type,
    language: after === null ? row.languageBefore : row.language,
    fields: fieldsOf(row.type, textsOf(fields)),
    state: isJsonObject(state) ? { from: textOf(state.from), to: textOf(state.to) } : null,
    before: placeAt(before),
    after: placeAt(after),
    keys: keysOf({ objects: new Set([row.oid]), containers: new Set(containers) }),
  };
}

/** An object of the full list as JSON. */
export function listedItem(row: ListedRow, { addressOf, keysOf }: ItemMaker, at: Date): ChangeItem {
  const place = { path: row.path, '@id': addressOf(row.path) };
  return {
    id: `present-${row.uid}`,
    event: 'present',
    time: at.toISOString(),
    ...place,
    UID: row.uid,
    '@type': row.type,
    language: row.language,
    fields: [],
    state: null,
    before: null,
    after: place,
    keys: keysOf({ objects: new Set([row.oid]), containers: new Set(row.parent === null ? [] : [row.parent]) }),
  };
}
