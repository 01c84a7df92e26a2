import { isLanguageToken, languageTitle, negotiateLanguage } from '../../i18n/languages.ts';
import { type Choices, definePanel, panelSettings } from '../panel.ts';
import type { Site } from '../site.ts';
import { choice, flag, list, textsOf } from './setting-forms.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Whether a token is that of a language that has a name. */
const isKnownLanguage = (token: string): boolean => isLanguageToken(token) && languageTitle(token) !== token;

/** The languages of these tokens. */
const languagesOf = (tokens: readonly string[]): Choices => tokens.map((token) => [token, languageTitle(token)]);

let offered: Choices | undefined;

/** The languages with a token of two letters, by title. Others are possible, such as `pt-br`. */
export function offeredLanguages(): Choices {
  offered ??= languagesOf(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
      (token) => isKnownLanguage(token) && Intl.getCanonicalLocales(token)[0] === token,
    ),
  ).sort(([, a], [, b]) => a.localeCompare(b));
  return offered;
}

/** The languages of the content. */
export const languagePanel = definePanel({
  id: 'language',
  title: 'Language',
  group: 'General',
  settings: [
    list('available_languages', {
      title: 'Available languages',
      description: 'The languages that content may be in.',
      default: ['en'],
      choices: offeredLanguages,
      problem: (token) =>
        isKnownLanguage(token) ? undefined : `"${token}" is no language. Use tags such as en or pt-br.`,
    }),
    choice('default_language', {
      title: 'Site language',
      description: 'The language of new content where nothing else says so. Searches know its forms of words.',
      default: 'en',
      choices: (_site, values) => languagesOf(textsOf(values.available_languages)),
    }),
    flag('multilingual', {
      title: 'Multilingual site',
      description:
        'Front ends offer the translations of content, and folders for languages may be added to the site root.',
      default: false,
      record: 'canopy.language.multilingual',
    }),
  ],
  check: ({ available_languages: available, default_language: chosen }) =>
    textsOf(available).includes(String(chosen))
      ? []
      : [{ field: 'default_language', message: 'Must be one of the available languages.' }],
});

/**
 * The language in which a reader is given the words of the server: the one among the site's that fits the header
 * `Accept-Language` best, else the default one.
 */
export function readerLanguage(site: Site, acceptLanguage: string | undefined): string {
  const available = panelSettings(site, languagePanel).available_languages;
  return negotiateLanguage(acceptLanguage, available, panelSettings(site, languagePanel).default_language);
}
