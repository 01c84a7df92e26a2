import { nativeLanguageTitle } from '../../i18n/languages.ts';
import { CORE_COLUMNS } from '../../search/metadata.ts';
import type { ContentType } from '../../types/content-type.ts';
import { byTitle, plainTerms, type Term } from '../../types/vocabularies/term.ts';
import { editingPanel, FORMATS, markupPanel, siteScales } from '../panels/content.ts';
import { isKnownLanguage, languagePanel, offeredLanguages } from '../panels/languages.ts';
import { searchPanel } from '../panels/navigation.ts';
import { panelSettings } from '../panels/panel.ts';
import { dateVocabularies } from './date-vocabularies.ts';
import { speaksPlone } from './plone-names.ts';
import type { Site, SiteRegistries } from './site.ts';
import type { SiteVocabulary, Vocabulary } from './vocabulary.ts';

const translated = ({ messages }: SiteRegistries, terms: readonly Term[], language: string): Term[] =>
  terms.map(({ token, title }) => ({ token, title: messages.translate(title, language) }));

const fixed = (names: SiteVocabulary['names'], terms: readonly Term[]): SiteVocabulary => ({
  names,
  terms: ({ registries }, language) => translated(registries, terms, language),
});

/** The vocabularies that are the same on every site. */
const staticVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['Fields'],
    terms(site, language) {
      const { terms } = site.registries.fieldKinds;
      // Nick has two tokens of the same title; editors of schemas in Plone need only one.
      const titles = new Map([...terms].reverse().map((term) => [term.title, term]));
      return translated(site.registries, speaksPlone(site) ? byTitle([...titles.values()]) : terms, language);
    },
  },
  fixed(['boolean'], plainTerms(['Yes', 'No'])),
];

const typeTerms = (
  { types, registries }: Site,
  language: string,
  isListed: (type: ContentType) => boolean = () => true,
): Term[] =>
  byTitle(
    [...types.values()]
      .filter(isListed)
      .map(({ id, title }) => ({ token: id, title: registries.messages.translate(title, language) })),
  );

/** Returns a function that says if people create and search for content of a type. */
function isFriendly(site: Site): (type: ContentType) => boolean {
  const hidden = new Set(panelSettings(site, searchPanel).types_not_searched);
  return ({ id }) => !hidden.has(id);
}

/** Says if a type is that of the site root, which cannot be added. */
const isRootType = ({ id, aliases = [] }: ContentType): boolean =>
  id === 'Site' || [id, ...aliases].includes('Plone Site');

/** Content types and behaviors. */
const typeVocabularies: readonly SiteVocabulary[] = [
  { names: ['types', 'plone.app.vocabularies.PortalTypes'], terms: (site, language) => typeTerms(site, language) },
  {
    names: ['plone.app.vocabularies.ReallyUserFriendlyTypes', 'plone.app.vocabularies.UserFriendlyTypes'],
    terms: (site, language) => typeTerms(site, language, isFriendly(site)),
  },
  {
    names: ['plone.app.content.ValidAddableTypes'],
    terms: (site, language) => typeTerms(site, language, (type) => !isRootType(type)),
  },
  {
    names: ['behaviors', 'Behaviors'],
    terms: ({ behaviors, registries }, language) =>
      byTitle(
        [...behaviors.values()].map(({ id, title }) => ({
          token: id,
          title: registries.messages.translate(title, language),
        })),
      ),
  },
];

type Part = 'states' | 'transitions';

/** The states or transitions of all workflows. Parts with the same id are one term, because searches and rules have only ids. */
function partTerms({ workflows, registries }: Site, part: Part, language: string): Term[] {
  const titles = new Map<string, string>();
  for (const workflow of workflows.values())
    for (const [id, { title }] of Object.entries(workflow[part])) if (!titles.has(id)) titles.set(id, title);
  return byTitle(
    [...titles].map(([token, title]) => ({ token, title: registries.messages.translate(title, language) })),
  );
}

/** Titles with their ids behind, as Plone has them: several states may have one title. */
const withIds = (terms: readonly Term[]): Term[] =>
  terms.map(({ token, title }) => ({ token, title: `${title} [${token}]` }));

/** Workflows, their states and their transitions. */
const workflowVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['workflows', 'plone.app.vocabularies.Workflows'],
    terms: ({ workflows, registries }, language) =>
      byTitle(
        [...workflows.values()].map(({ id, title }) => ({
          token: id,
          title: registries.messages.translate(title, language),
        })),
      ),
  },
  { names: ['workflowStates'], terms: (site, language) => partTerms(site, 'states', language) },
  { names: ['workflowTransitions'], terms: (site, language) => partTerms(site, 'transitions', language) },
  {
    names: ['plone.app.vocabularies.WorkflowStates'],
    terms: (site, language) => withIds(partTerms(site, 'states', language)),
  },
  {
    names: ['plone.app.vocabularies.WorkflowTransitions'],
    terms: (site, language) => withIds(partTerms(site, 'transitions', language)),
  },
];

/** Roles and permissions. */
const rightVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['roles', 'plone.app.vocabularies.Roles'],
    terms: ({ roles, registries }, language) =>
      byTitle(roles.map(({ id, title }) => ({ token: id, title: registries.messages.translate(title, language) }))),
  },
  {
    names: ['permissions', 'plone.app.vocabularies.Permissions'],
    terms: ({ roleMap }) => byTitle(plainTerms(Object.keys(roleMap))),
  },
];

/** The entries of menus, in their order. */
const actionVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['actions'],
    terms({ actions, registries }, language) {
      const titles = new Map([...actions.values()].flat().map(({ id, title }) => [id, title]));
      return [...titles].map(([token, title]) => ({ token, title: registries.messages.translate(title, language) }));
    },
  },
  {
    names: ['plone.app.vocabularies.PortalActionCategories', 'plone.app.vocabularies.Actions'],
    terms: ({ actions }) => plainTerms([...actions.keys()]),
  },
];

/** Languages of regions that differ in spelling or words; sites may have others. */
const REGIONAL = [
  ...['de-at', 'de-ch', 'en-au', 'en-ca', 'en-gb', 'en-us', 'es-ar', 'es-mx', 'fr-be', 'fr-ca', 'fr-ch', 'it-ch'],
  ...['nl-be', 'pt-br', 'pt-pt', 'zh-cn', 'zh-hk', 'zh-tw'],
];

const languageTerms = (tokens: readonly string[]): Term[] =>
  byTitle([...new Set(tokens)].map((token) => ({ token, title: nativeLanguageTitle(token) })));

const ofSite = (site: Site): string[] => panelSettings(site, languagePanel).available_languages;
const regional = (site: Site): string[] =>
  panelSettings(site, languagePanel).use_combined_language_codes ? REGIONAL : [];
const all = (site: Site): string[] => [
  ...offeredLanguages().map(([token]) => token),
  ...regional(site),
  ...ofSite(site),
];

/**
 * Languages: all of them, and those of the site. Plone and Nick mean the opposite by "available" and "supported". Content may be in other languages,
 * by an import or because the site has removed a language.
 */
const languageVocabularies: readonly SiteVocabulary[] = [
  {
    names: [
      'availableLanguages',
      'plone.app.vocabularies.SupportedContentLanguages',
      'plone.app.multilingual.vocabularies.AllAvailableLanguageVocabulary',
    ],
    open: isKnownLanguage,
    terms: (site) => languageTerms(ofSite(site)),
  },
  {
    names: [
      'supportedLanguages',
      'plone.app.vocabularies.AvailableContentLanguages',
      'plone.app.multilingual.vocabularies.AllContentLanguageVocabulary',
    ],
    open: isKnownLanguage,
    terms: (site) => languageTerms(all(site)),
  },
];

/** The columns that listings can show. */
const columns = ({ types }: Site): string[] =>
  [...new Set([...CORE_COLUMNS, ...[...types.values()].flatMap((type) => [...type.columns.keys()])])].sort();

/** Vocabularies of forms and panels, other than those of content, types and people. */
const formVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['imageScales', 'plone.app.vocabularies.ImagesScales'],
    terms: (site) => plainTerms(Object.keys(siteScales(site))),
  },
  {
    names: ['plone.app.vocabularies.MetadataFields', 'plone.app.contenttypes.metadatafields'],
    terms: (site) => plainTerms(columns(site)),
  },
  // Plone's names for media types: the formats of formatted text, and the formats that the site allows.
  {
    names: ['plone.app.vocabularies.AllowableContentTypes'],
    terms: () => plainTerms(FORMATS.map(([token]) => token)),
  },
  {
    names: ['plone.app.vocabularies.AllowedContentTypes'],
    terms: (site) => plainTerms([...panelSettings(site, markupPanel).allowed_types].sort()),
  },
  {
    names: ['plone.app.vocabularies.AvailableEditors'],
    terms: (site) => plainTerms(panelSettings(site, editingPanel).available_editors),
  },
  // The vocabulary has one term: the look of pages belongs to front ends.
  { names: ['plone.app.vocabularies.Skins'], terms: () => [{ token: 'Plone Default', title: '(Unstyled)' }] },
  {
    names: ['plone.schemaeditor.VocabulariesVocabulary'],
    terms: (site) => plainTerms(site.registries.vocabularies.names(site)),
  },
];

/** The vocabularies that follow from the configuration of the site. */
export const siteVocabularies: readonly Vocabulary[] = [
  ...staticVocabularies,
  ...typeVocabularies,
  ...workflowVocabularies,
  ...rightVocabularies,
  ...actionVocabularies,
  ...languageVocabularies,
  ...dateVocabularies,
  ...formVocabularies,
];
