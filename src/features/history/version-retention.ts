import type { Site } from '../../site/site.ts';
import type { Retention } from './statements/version-record.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A hundred years: no date of a version lies further back, and no calculation leaves the range of dates. */
const MAX_DAYS = 36_500;

const wholeNumber = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, most) : null;

/**
 * Which versions the site keeps, by its settings `versioning`: `keep` is the number of the newest versions of each
 * object, `days` the days that a version is kept after the next one replaced it. Anything but a positive whole number
 * means no such limit; the newest version always stays.
 */
export function retentionOf(site: Site, now = Date.now()): Retention {
  const { keep, days } = site.settings.get('versioning') ?? {};
  const limit = wholeNumber(days, MAX_DAYS);
  return { keep: wholeNumber(keep, 1_000_000), since: limit === null ? null : new Date(now - limit * DAY) };
}
