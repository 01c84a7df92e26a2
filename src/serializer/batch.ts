import { BadRequest } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';

/** Which part of a list is asked for, and the query that its neighbours are linked by. */
export type BatchRequest = { start: number; size: number; query: URLSearchParams };

/** A part of a list, and how long the list is for this caller. */
export type Batch<T> = { items: T[]; total: number };

/** More items than this never come at once, whatever is asked for. */
const MAX_SIZE = 10_000;

/** A whole number of a query string. Empty counts as absent. Throws BadRequest for anything else. */
export function integerParameter(query: URLSearchParams, name: string, fallback: number): number {
  const value = query.get(name)?.trim();
  if (value === undefined || value === '') return fallback;
  if (!/^[+-]?\d{1,15}$/.test(value)) throw new BadRequest(`Invalid ${name}: Not an integer`);
  return Number(value);
}

/** Reads `b_start` and `b_size`; negative values count as 0. */
export function readBatch(query: URLSearchParams, defaultSize: number): BatchRequest {
  return {
    start: Math.max(0, integerParameter(query, 'b_start', 0)),
    size: Math.min(MAX_SIZE, Math.max(0, integerParameter(query, 'b_size', defaultSize))),
    query,
  };
}

/** The part that a query asks for that has been checked by the schema `Batching`. */
export const batchOf = (
  { b_start: start, b_size: size }: { b_start: number; b_size: number },
  query: URLSearchParams,
): BatchRequest => ({ start, size, query });

/** `batching` of a list that has more than one batch, else nothing (plone.restapi §6.1). `url` has no query. */
export function batchLinks(url: string, { start, size, query }: BatchRequest, total: number): JsonObject {
  if (total <= size || size === 0) return {};
  const link = (at: number): string => {
    const rest = new URLSearchParams(query);
    rest.delete('b_start');
    const others = rest.toString();
    return `${url}?b_start=${at}${others === '' ? '' : `&${others}`}`;
  };
  const last = Math.floor((total - 1) / size) * size;
  const batching: JsonObject = { '@id': link(start), first: link(0), last: link(last) };
  if (start + size < total) batching.next = link(start + size);
  if (start > 0) batching.prev = link(Math.max(0, Math.min(start - size, last)));
  return { batching };
}
