import { isRoot } from '../../content/locate.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Site } from '../../site/site.ts';
import type { ContentObject, TreeNode } from '../../storage/content-row.ts';

/** The permission to link content as translations, in Plone's spelling. */
export const MANAGE_TRANSLATIONS = 'Manage translations';

/** Whether the content of a language begins at an object: a navigation root that is named after its language, in the site root. */
export const isLanguageRoot = (site: Site, node: Pick<TreeNode, 'path' | 'type' | 'language'>): boolean =>
  node.language !== null &&
  node.path === `/${node.language}` &&
  (site.types.get(node.type)?.behaviorNames.has('navigation_root') ?? false);

/** The language of content that can have translations. Throws BadRequest for other content, which `name` names in the message. */
export function requireTranslatable(site: Site, object: ContentObject, name: string): string {
  if (isRoot(object) || !site.types.get(object.type)?.behaviorNames.has('plone.translatable'))
    throw new BadRequest(`${name} cannot have translations: its type is ${object.type}.`);
  if (object.workingCopyOf !== null)
    throw new BadRequest(`${name} is a working copy. Link the content that it is a copy of.`);
  if (object.language === null) throw new BadRequest(`${name} has no language. Give it one first.`);
  return object.language;
}
