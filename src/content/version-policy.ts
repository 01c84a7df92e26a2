import type { Retention } from '../features/history/statements/version-record.ts';
import type { Site } from '../site/site.ts';
import type { ContentType } from '../types/content-type.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A hundred years: no date of a version lies further back, and no calculation leaves the range of dates. */
const MAX_DAYS = 36_500;

/** Whether objects of a type have versions; each object may still switch them off (`versioning_enabled`). */
export const hasVersions = ({ behaviorNames }: Pick<ContentType, 'behaviorNames'>): boolean =>
  behaviorNames.has('versioning') || behaviorNames.has('plone.versioning');

/** Names of the types whose objects have versions. */
export const versionedTypes = (site: Site): string[] =>
  [...site.types.values()].filter(hasVersions).map(({ id }) => id);

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
