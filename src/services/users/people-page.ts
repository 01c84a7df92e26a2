import { type BarePage, readBarePage } from '../../serializer/bare-page.ts';

/** Users or groups that a filter lists unless `limit` says otherwise (plone.restapi, U02 and U22). */
const FILTERED = 25;
/** More never come at once. */
const MOST = 10_000;

/** Reads `limit` and `b_start` of a list of people. */
export const readPeoplePage = (query: URLSearchParams, filtered: boolean): BarePage =>
  readBarePage(query, { parameter: 'limit', size: filtered ? FILTERED : MOST, most: MOST });

/** A text of the query without spaces around it; undefined when it is absent or empty. */
export const textParameter = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name)?.trim() || undefined;
