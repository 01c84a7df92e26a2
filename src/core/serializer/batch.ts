import { type Static, type TSchema, Type } from 'typebox';
import { Address } from '../../lib/schema/shapes.ts';

/** The requested part of a list, and the query from which the links to other batches are made. */
export type BatchRequest = { start: number; size: number; query: URLSearchParams };

/** A part of a list, and the length of the whole list for this caller. */
export type Batch<T> = { items: T[]; total: number };

/** Maximum number of whole objects in one response: fewer than summaries, because each is loaded with its blocks and its components. */
export const MAX_WHOLE_OBJECTS = 200;

/** A batch request, limited to this size. Its links lead to the rest. */
export const atMost = ({ start, size, query }: BatchRequest, most: number): BatchRequest => ({
  start,
  size: Math.min(size, most),
  query,
});

/** The batch request of a query that the schema `Batching` has checked. */
export const batchOf = (
  { b_start: start, b_size: size }: { b_start: number; b_size: number },
  query: URLSearchParams,
): BatchRequest => ({ start, size, query });

/** The member `batching` of a list that comes in parts; absent when the list is one part. */
export const Batching = Type.Object({
  batching: Type.Optional(
    Type.Object({
      '@id': Address,
      first: Address,
      last: Address,
      next: Type.Optional(Address),
      prev: Type.Optional(Address),
    }),
  ),
});
export type Batching = Static<typeof Batching>;

/** A whole list under its address. */
export const ListOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ '@id': Type.String({ format: 'uri' }), items: Type.Array(item), items_total: Type.Integer() });

/** A list under its address that comes in parts. */
export const BatchOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ ...ListOf(item).properties, ...Batching.properties });

/** `batching` of a list with more than one batch, otherwise nothing (plone.restapi §6.1): `@id` is the requested address. `url` has no query. */
export function batchLinks(url: string, { start, size, query }: BatchRequest, total: number): Batching {
  if (total <= size || size === 0) return {};
  const link = (at: number): string => {
    const rest = new URLSearchParams(query);
    rest.delete('b_start');
    const others = rest.toString();
    return `${url}?b_start=${at}${others === '' ? '' : `&${others}`}`;
  };
  const last = Math.floor((total - 1) / size) * size;
  const own = query.toString();
  const batching: Batching['batching'] = {
    '@id': own === '' ? url : `${url}?${own}`,
    first: link(0),
    last: link(last),
  };
  if (start + size < total) batching.next = link(start + size);
  if (start > 0) batching.prev = link(Math.max(0, Math.min(start - size, last)));
  return { batching };
}

/** The header that links to the next part of a bare array; no header when the client requested no entries. */
export function nextLink(
  url: string,
  query: URLSearchParams,
  { limit, offset }: { limit: number; offset: number },
): { Link?: string } {
  if (limit === 0) return {};
  const rest = new URLSearchParams(query);
  rest.set('b_start', String(offset + limit));
  return { Link: `<${url}?${rest}>; rel="next"` };
}
