import { translate } from '../../i18n/translate.ts';
import { plainTerms } from '../../types/vocabularies/term.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

/** The entries of menus, in their order. */
export const actionVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['actions'],
    terms({ actions }, language) {
      const titles = new Map([...actions.values()].flat().map(({ id, title }) => [id, title]));
      return [...titles].map(([token, title]) => ({ token, title: translate(title, language) }));
    },
  },
  {
    names: ['plone.app.vocabularies.PortalActionCategories'],
    terms: ({ actions }) => plainTerms([...actions.keys()]),
  },
];
