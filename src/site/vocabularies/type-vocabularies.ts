import { translate } from '../../i18n/translate.ts';
import type { ContentType } from '../../types/content-type.ts';
import { byTitle, type Term } from '../../types/vocabularies/term.ts';
import { panelSettings } from '../panel.ts';
import { searchPanel } from '../panels/search-panel.ts';
import type { Site } from '../site.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

const typeTerms = ({ types }: Site, language: string, isListed: (type: ContentType) => boolean = () => true): Term[] =>
  byTitle(
    [...types.values()].filter(isListed).map(({ id, title }) => ({ token: id, title: translate(title, language) })),
  );

/** Whether a type is that of content that people make and look for. */
function isFriendly(site: Site): (type: ContentType) => boolean {
  const hidden = new Set(panelSettings(site, searchPanel).types_not_searched);
  return ({ id }) => !hidden.has(id);
}

/** The type of a site root: nobody adds content of it. */
const isRootType = ({ id, aliases = [] }: ContentType): boolean =>
  id === 'Site' || [id, ...aliases].includes('Plone Site');

/** Content types and behaviors. */
export const typeVocabularies: readonly SiteVocabulary[] = [
  { names: ['types', 'plone.app.vocabularies.PortalTypes'], terms: (site, language) => typeTerms(site, language) },
  {
    names: ['plone.app.vocabularies.ReallyUserFriendlyTypes', 'plone.app.vocabularies.UserFriendlyTypes'],
    terms: (site, language) => typeTerms(site, language, isFriendly(site)),
  },
  {
    names: ['plone.app.content.ValidAddableTypes', 'plone.app.vocabularies.AllowableContentTypes'],
    terms: (site, language) => typeTerms(site, language, (type) => !isRootType(type)),
  },
  {
    names: ['behaviors', 'Behaviors'],
    terms: ({ behaviors }, language) =>
      byTitle([...behaviors.values()].map(({ id, title }) => ({ token: id, title: translate(title, language) }))),
  },
];
