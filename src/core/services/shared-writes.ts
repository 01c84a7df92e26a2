import type { Service } from './service.ts';

/** Services that search, also where the query is in a body. */
const SEARCHES = new Set(['@search', '@querystring-search']);

/** Says if a service searches. */
export const isSearchService = (name: string): boolean => SEARCHES.has(name);

/** Says if a service writes: its method is not GET, and it does not search. */
export const isWrite = ({ method, name }: Service): boolean => method !== 'GET' && !isSearchService(name);

/** Returns the reason why a write cannot be a part of another transaction, as a sentence for its client; undefined for other writes. */
export function aloneReason({ alone, asks, streams, waitsFor }: Service): string | undefined {
  if (alone !== undefined) return alone;
  if (asks) return 'It makes requests of its own.';
  if (streams !== undefined) return 'The bytes of its body are stored while they come.';
  return waitsFor === undefined ? undefined : 'It waits for another service.';
}
