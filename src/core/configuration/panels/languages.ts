import { isLanguageToken, languageTitle, negotiateLanguage } from '../../i18n/languages.ts';
import type { Site } from '../site/site.ts';
import { type Choices, definePanel, panelSettings } from './panel.ts';
import { choice, flag, list, textsOf } from './setting-forms.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Says if a token belongs to a language that has a name. */
export const isKnownLanguage = (token: string): boolean => isLanguageToken(token) && languageTitle(token) !== token;

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
    flag('use_request_negotiation', {
      title: 'Language of the browser',
      description: 'Whether readers get the words of the server in a language that their browser asks for.',
      default: true,
    }),
    flag('use_combined_language_codes', {
      title: 'Languages of countries',
      description: 'Whether forms offer languages such as pt-br and en-us.',
      default: true,
    }),
    flag('use_cookie_negotiation', {
      title: 'Language in a cookie',
      description: 'Whether the cookie I18N_LANGUAGE says where @@multilingual-selector leads to.',
      default: false,
    }),
  ],
  check: ({ available_languages: available, default_language: chosen }) =>
    textsOf(available).includes(String(chosen))
      ? []
      : [{ field: 'default_language', message: 'Must be one of the available languages.' }],
});

/**
 * The language of the server's texts for a reader: the language of the site that fits the header `Accept-Language` best, else the language that the
 * reader has `preferred`, else the default language. The header does not count if the site does not use the language of the browser.
 */
export function readerLanguage(
  site: Site,
  acceptLanguage: string | undefined,
  preferred: string | null = null,
): string {
  const settings = panelSettings(site, languagePanel);
  const available = settings.available_languages;
  const asked = settings.use_request_negotiation ? acceptLanguage : undefined;
  if (asked === undefined && preferred !== null && available.includes(preferred)) return preferred;
  return negotiateLanguage(asked, available, settings.default_language);
}
