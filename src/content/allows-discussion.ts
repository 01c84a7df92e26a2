import { panelSettings } from '../site/panel.ts';
import type { Site } from '../site/site.ts';

/**
 * Whether comments are possible: what the object says, else the site's setting (plone.restapi, S18). The feature that
 * has comments brings the panel; without it there are none.
 */
export function allowsDiscussion(site: Site, { fields }: { fields: Record<string, unknown> }): boolean {
  const own = fields.allow_discussion;
  if (typeof own === 'boolean') return own;
  const panel = site.registries.panels.get('discussion');
  return panel !== undefined && panelSettings(site, panel).globally_enabled === true;
}
