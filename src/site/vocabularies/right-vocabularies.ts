import { translate } from '../../i18n/translate.ts';
import { byTitle, plainTerms } from '../../types/vocabularies/term.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

/** Roles and permissions. */
export const rightVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['roles', 'plone.app.vocabularies.Roles'],
    terms: ({ roles }, language) =>
      byTitle(roles.map(({ id, title }) => ({ token: id, title: translate(title, language) }))),
  },
  {
    names: ['permissions', 'plone.app.vocabularies.Permissions'],
    terms: ({ roleMap }) => byTitle(plainTerms(Object.keys(roleMap))),
  },
];
