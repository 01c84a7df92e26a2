import { type BarePage, readBarePage } from '../../../serializer/bare-page.ts';
import type { Site } from '../../../site/site.ts';

/** Users or groups in a part of a list unless `limit` says otherwise (plone.restapi, U02 and U22). */
const PART = 25;
/** More never come at once. */
const MOST = 10_000;

/**
 * Reads `limit` and `b_start` of a list of people. The list comes in parts where it is filtered, and where the site says
 * that there are many (panel `usergroup`); else as a whole.
 */
export const readPeoplePage = (
  query: URLSearchParams,
  { site, many, filtered }: { site: Site; many: 'many_users' | 'many_groups'; filtered: boolean },
): BarePage => {
  const inParts = filtered || site.settings.get('usergroup')?.[many] === true;
  return readBarePage(query, { parameter: 'limit', size: inParts ? PART : MOST, most: MOST });
};

/** A text of the query without spaces around it; undefined when it is absent or empty. */
export const textParameter = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name)?.trim() || undefined;
