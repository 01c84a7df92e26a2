import { integerParameter } from './batch.ts';

/** A part of a list that is answered as a bare array. `next` answers the header that links the part behind it. */
export type BarePage = { limit: number; offset: number; next(url: string): { Link?: string } };

/**
 * Reads `b_start` and the parameter that gives the size. A bare array has no place for batching links: what does not fit
 * is linked from a header, never cut silently.
 */
export function readBarePage(
  query: URLSearchParams,
  { parameter, size, most }: { parameter: string; size: number; most: number },
): BarePage {
  const limit = Math.min(most, Math.max(0, integerParameter(query, parameter, size)));
  const offset = Math.max(0, integerParameter(query, 'b_start', 0));
  return { limit, offset, next: (url) => nextLink(url, query, { limit, offset }) };
}

/** The header that links the part of a bare array behind this one; none when this one is empty by wish. */
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
