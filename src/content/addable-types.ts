import type { Caller } from '../security/caller.ts';
import { ADD } from '../security/permissions.ts';
import { panelSettings } from '../site/panel.ts';
import { languagePanel } from '../site/panels/languages.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { isRoot } from './locate.ts';
import { has } from './permissions.ts';

/** Whether objects of `type` hold the content of a language each, and the container is the root of a site in several languages. */
const beginsLanguage = (site: Site, { object }: ResolvedNode, { id, aliases = [] }: ContentType): boolean =>
  isRoot(object) && [id, ...aliases].includes('LRF') && panelSettings(site, languagePanel).multilingual;

/** Whether the container's type and its own constraints take objects of `type`. */
export function takesType(site: Site, container: ResolvedNode, type: ContentType): boolean {
  const own = site.types.get(container.object.type);
  if (!own?.folderish) return false;
  const fits = own.filter_content_types
    ? own.allowed_content_types.includes(type.id)
    : type.global_allow || beginsLanguage(site, container, type);
  const constrains = container.object.constrains;
  return fits && (!constrains || constrains.locally_allowed.includes(type.id));
}

/** Whether the caller may add an object of `type` to the container. */
export const mayAdd = (site: Site, caller: Caller, container: ResolvedNode, type: ContentType): boolean =>
  takesType(site, container, type) && has(site, caller, container, type.add_permission ?? ADD);
