import { speaksPlone } from '../configuration/site/plone-names.ts';
import type { Site } from '../configuration/site/site.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { languageIn } from './create-content.ts';
import { eventTimes } from './event-times.ts';

/** Returns the initial value of a field of new content. */
function startOf(site: Site, type: ContentType, name: string, container: ResolvedNode | undefined): string | undefined {
  if (name === 'language') return container && speaksPlone(site) ? languageIn(site, container) : undefined;
  if (name !== 'start' && name !== 'end') return undefined;
  // Plone writes moments in forms without fractions of a second, and UTC as numbers.
  return eventTimes(site, type)[name]?.toISOString().replace('.000Z', '+00:00');
}

/**
 * Returns the initial value of a field in the form of new content, as `default` of the field, when it depends on time and place: an event begins at
 * the full hour, and content has the language of its container, which Nick's forms leave to the server.
 */
export function startingValue(
  site: Site,
  type: ContentType,
  name: string,
  container?: ResolvedNode,
): { default?: string } {
  const value = startOf(site, type, name, container);
  return value === undefined ? {} : { default: value };
}
