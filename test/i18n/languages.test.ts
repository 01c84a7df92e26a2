import { describe, expect, test } from 'vitest';
import { isLanguageToken, languageTitle, negotiateLanguage } from '../../src/core/i18n/languages.ts';

test.each([
  ['en', 'English'],
  ['de', 'German'],
  ['pt-br', 'Portuguese (Brazil)'],
  ['zh-hant', 'Chinese (Traditional)'],
  ['de-u-co-phonebk', 'German'],
  ['qqq', 'qqq'],
  ['not a language', 'not a language'],
  ['', ''],
  ['en_US', 'en_US'],
])('the title of %j is %j', (token, title) => {
  expect(languageTitle(token)).toBe(title);
});

test('titles come in the language of the reader, in English for an unknown language', () => {
  expect(languageTitle('de', 'de')).toBe('Deutsch');
  expect(languageTitle('de', '???')).toBe('German');
});

test('tokens are well-formed language tags in any case', () => {
  for (const token of ['en', 'pt-br', 'zh-Hant-TW', 'gsw', 'es-419']) expect(isLanguageToken(token), token).toBe(true);
  for (const token of [
    '',
    'e',
    'en_US',
    'en-',
    '-en',
    'en--us',
    'en us',
    '*',
    '../en',
    'a'.repeat(5000),
    'en-'.repeat(5000),
  ]) {
    expect(isLanguageToken(token), token.slice(0, 20)).toBe(false);
  }
});

describe('negotiateLanguage', () => {
  const available = ['en', 'de', 'pt-br', 'FR'];
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at, en;q=0.5', 'de'],
    ['en;q=0.2, de;q=0.9', 'de'],
    ['de;q=0.5, fr;q=0.5', 'de'],
    ['pt', 'pt-br'],
    ['pt-pt', 'en'],
    ['fr', 'FR'],
    ['it, *;q=0.1', 'en'],
    ['en;q=0, *', 'de'],
    ['de;q=0, de-at', 'en'],
    ['tlh', 'en'],
    ['de;q=2, fr;q=0.1', 'FR'],
    ['de;q=, fr ; q=1.000', 'FR'],
    [';;;,,,q=1,=', 'en'],
    ['__proto__, constructor', 'en'],
  ])('%j gets %s', (header, language) => {
    expect(negotiateLanguage(header, available, 'en')).toBe(language);
  });

  test('a hostile header costs next to nothing', () => {
    const started = performance.now();
    for (const piece of ['de;q=0.1,', ';', ',', 'a-', 'q=', ' '])
      negotiateLanguage(piece.repeat(500_000), available, 'en');
    expect(performance.now() - started).toBeLessThan(300);
  });
});
