import { integerParameter } from '../../serializer/batch.ts';

/** Users or groups that a filter lists unless `limit` says otherwise (plone.restapi, U02 and U22). */
const FILTERED = 25;
/** More never come at once. */
const MOST = 10_000;

/** A part of a list of people. `next` answers the header that links the part behind it, when there is one. */
export type PeoplePage = { limit: number; offset: number; next(url: string): { Link?: string } };

/** Reads `limit` and `b_start`. These lists are bare arrays: what does not fit is linked from a header, never cut silently. */
export function readPeoplePage(query: URLSearchParams, filtered: boolean): PeoplePage {
  const limit = Math.min(MOST, Math.max(0, integerParameter(query, 'limit', filtered ? FILTERED : MOST)));
  const offset = Math.max(0, integerParameter(query, 'b_start', 0));
  return {
    limit,
    offset,
    next(url) {
      if (limit === 0) return {};
      const rest = new URLSearchParams(query);
      rest.set('b_start', String(offset + limit));
      return { Link: `<${url}?${rest}>; rel="next"` };
    },
  };
}

/** A text of the query without spaces around it; undefined when it is absent or empty. */
export const textParameter = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name)?.trim() || undefined;
