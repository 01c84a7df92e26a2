import type { Site } from '../site/site.ts';

/** Whether comments are possible: what the object says, else the site's setting (plone.restapi, S18). */
export function allowsDiscussion(site: Site, { fields }: { fields: Record<string, unknown> }): boolean {
  const own = fields.allow_discussion;
  return typeof own === 'boolean' ? own : site.settings.get('discussion')?.globally_enabled === true;
}
