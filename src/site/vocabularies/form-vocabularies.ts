import { CORE_COLUMNS } from '../../catalog/metadata.ts';
import { isLanguageToken } from '../../i18n/languages.ts';
import { plainTerms } from '../../types/vocabularies/term.ts';
import { siteScales } from '../image-sizes.ts';
import type { Site } from '../site.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

/** 1 January 2024 was a Monday. */
const mondayAnd = (days: number): Date => new Date(Date.UTC(2024, 0, 1 + days));

/** The days of the week from Monday, by their numbers, as the setting of the first one has them. */
function weekdays(language: string): { token: string; title: string }[] {
  const format = new Intl.DateTimeFormat(isLanguageToken(language) ? language : 'en', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  return Array.from({ length: 7 }, (_, day) => ({ token: String(day), title: format.format(mondayAnd(day)) }));
}

/** The columns that listings can show. */
const columns = ({ types }: Site): string[] =>
  [...new Set([...CORE_COLUMNS, ...[...types.values()].flatMap((type) => [...type.columns.keys()])])].sort();

/** What forms and panels choose from beside content, types and people. */
export const formVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['imageScales', 'plone.app.vocabularies.ImagesScales'],
    terms: (site) => plainTerms(Object.keys(siteScales(site))),
  },
  {
    names: ['plone.app.vocabularies.MetadataFields', 'plone.app.contenttypes.metadatafields'],
    terms: (site) => plainTerms(columns(site)),
  },
  { names: ['plone.app.vocabularies.Weekdays'], terms: (_site, language) => weekdays(language) },
  {
    names: ['plone.schemaeditor.VocabulariesVocabulary'],
    terms: (site) => plainTerms(site.registries.vocabularies.names(site)),
  },
];
