import { definePanel } from '../panel.ts';
import { isKnownLanguage, languagesOf, offeredLanguages } from './language-choices.ts';
import { choice, flag, list, textsOf } from './setting-forms.ts';

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
