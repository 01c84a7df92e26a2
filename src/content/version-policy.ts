import type { Site } from '../site/site.ts';
import type { ContentType } from '../types/content-type.ts';

/** Whether objects of a type have versions; each object may still switch them off (`versioning_enabled`). */
export const hasVersions = ({ behaviorNames }: Pick<ContentType, 'behaviorNames'>): boolean =>
  behaviorNames.has('versioning') || behaviorNames.has('plone.versioning');

/** Names of the types whose objects have versions. */
export const versionedTypes = (site: Site): string[] =>
  [...site.types.values()].filter(hasVersions).map(({ id }) => id);
