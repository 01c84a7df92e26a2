import { nativeLanguageTitle } from '../../i18n/languages.ts';
import { byTitle, type Term } from '../../types/vocabularies/term.ts';
import { panelSettings } from '../panel.ts';
import { offeredLanguages } from '../panels/language-choices.ts';
import { languagePanel } from '../panels/language-panel.ts';
import type { Site } from '../site.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

/** Languages of regions that differ in spelling or words; sites may have others. */
const REGIONAL = [
  ...['de-at', 'de-ch', 'en-au', 'en-ca', 'en-gb', 'en-us', 'es-ar', 'es-mx', 'fr-be', 'fr-ca', 'fr-ch', 'it-ch'],
  ...['nl-be', 'pt-br', 'pt-pt', 'zh-cn', 'zh-hk', 'zh-tw'],
];

const languageTerms = (tokens: readonly string[]): Term[] =>
  byTitle([...new Set(tokens)].map((token) => ({ token, title: nativeLanguageTitle(token) })));

const ofSite = (site: Site): string[] => panelSettings(site, languagePanel).available_languages;
const all = (site: Site): string[] => [...offeredLanguages().map(([token]) => token), ...REGIONAL, ...ofSite(site)];

/**
 * Languages: all of them, and those of the site. Plone and Nick mean the opposite by "available" and "supported". Content
 * may be in others, which came by an import or which the site has given up.
 */
export const languageVocabularies: readonly SiteVocabulary[] = [
  {
    names: [
      'availableLanguages',
      'plone.app.vocabularies.SupportedContentLanguages',
      'plone.app.multilingual.vocabularies.AllAvailableLanguageVocabulary',
    ],
    open: true,
    terms: (site) => languageTerms(ofSite(site)),
  },
  {
    names: [
      'supportedLanguages',
      'plone.app.vocabularies.AvailableContentLanguages',
      'plone.app.multilingual.vocabularies.AllContentLanguageVocabulary',
    ],
    open: true,
    terms: (site) => languageTerms(all(site)),
  },
];
