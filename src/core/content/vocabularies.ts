import { editingPanel } from '../configuration/panels/content.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import type { TermContext, Vocabulary } from '../configuration/site/vocabulary.ts';
import {
  type FoundTerms,
  findContentTerms,
  findTagTerms,
  type TermWindow,
  type Viewer,
} from '../people/statements/vocabulary-terms.ts';
import { sortableTitle } from '../search/text.ts';
import { can } from '../security/can.ts';
import { ACCESS_INACTIVE } from '../security/permissions.ts';
import { securityNode } from './permissions.ts';
import { ROOT } from './tree-path.ts';

/** Returns the caller's tokens and rights for the whole site: roles in one folder do not count elsewhere. */
function viewerOf({ site, caller, resolved }: Pick<TermContext, 'site' | 'caller' | 'resolved'>): Viewer {
  const root = resolved.ancestors.at(-1) ?? resolved.object;
  return {
    ...viewersOf(site, caller),
    inactive: can(ACCESS_INACTIVE, caller, [securityNode(site, root)], site.roleMap),
  };
}

/** The scope of the tags that a place offers: the whole site, or by a setting of the site its navigation root. */
function tagRoot({ site, resolved: { object, ancestors } }: Pick<TermContext, 'site' | 'resolved'>): string {
  if (!panelSettings(site, editingPanel).subjects_of_navigation_root) return ROOT;
  const root = [object, ...ancestors].find(({ type }) => site.types.get(type)?.behaviorNames.has('navigation_root'));
  return root?.path ?? ROOT;
}

/** The tags that the caller is offered at a place. */
export const findTags = (
  context: Pick<TermContext, 'site' | 'db' | 'caller' | 'resolved'>,
  request: TermWindow,
): Promise<FoundTerms> => findTagTerms(context.db, { ...viewerOf(context), path: tagRoot(context) }, request);

/** Tags and content. */
export const contentVocabularies: readonly Vocabulary[] = [
  {
    names: ['subjects', 'plone.app.vocabularies.Keywords'],
    find: (context, request) => findTags(context, request),
  },
  {
    names: ['plone.app.vocabularies.Catalog', 'plone.app.multilingual.RootCatalog'],
    find: (context, { title, ...request }) =>
      findContentTerms(context.db, viewerOf(context), {
        ...request,
        title: title === undefined ? undefined : sortableTitle(title),
      }),
  },
];
