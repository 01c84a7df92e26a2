import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { localeFiles, Messages } from '../../src/core/i18n/messages.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { registries } from '../support/registries.ts';

const { messages } = registries;
const folder = mkdtempSync(join(tmpdir(), 'canopy-messages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n';
const own = new Map([
  [
    'nl',
    () => ({
      Hello: 'Hallo',
      'The id "{name}" is taken.': 'De id "{name}" is bezet.',
      'Line {line}: {message}': 'Regel {line}: {message}',
      '{a} and {b}': '{b} en {a}',
    }),
  ],
  ['pt-br', () => ({ Hello: 'Olá' })],
]);

test.each([
  ['Published', 'nl', 'Gepubliceerd'],
  ['Published', 'nl-BE', 'Gepubliceerd'],
  ['Published', 'NL', 'Gepubliceerd'],
  ['Published', 'it', 'Pubblicato'],
  ['Published', 'pt-br', 'Publicado'],
  ['Published', 'pt', 'Publicado'],
  ['Published', 'en', 'Published'],
  ['Published', 'tlh', 'Published'],
  ['Published', '', 'Published'],
  ['A title of a site', 'nl', 'A title of a site'],
  ['constructor', 'nl', 'constructor'],
  ['__proto__', 'nl', '__proto__'],
  ['', 'nl', ''],
])('%j in %j is %j', (text, language, translated) => {
  expect(messages.translate(text, language)).toBe(translated);
});

test.each([
  ['The id "news" is taken.', 'De id "news" is bezet.'],
  ['The id "{name}" is taken.', 'De id "{name}" is bezet.'],
  ['The id "a" is taken." is taken.', 'De id "a" is taken." is bezet.'],
  ['The id "" is taken.', 'De id "" is bezet.'],
  ['Line 3: The id "$&" is taken.', 'Regel 3: De id "$&" is bezet.'],
  ['Line 3: Nobody has translated this.', 'Regel 3: Nobody has translated this.'],
  ['cats and dogs', 'dogs en cats'],
  ['and', 'and'],
])('the text %j with values in it is recognized as %j', (text, translated) => {
  expect(new Messages(own).translate(text, 'nl')).toBe(translated);
});

test('a text of a client that fits no message is compared in linear time', () => {
  const text = 'The id "'.repeat(50_000);
  const started = performance.now();
  expect(new Messages(own).translate(text, 'nl')).toBe(text);
  expect(performance.now() - started).toBeLessThan(200);
});

test('a form that sends back a text as it was served means the stored one', () => {
  expect(messages.matchedText('Gepubliceerd', 'Published')).toBe('Published');
  expect(messages.matchedText('Veröffentlicht', 'Published')).toBe('Published');
  expect(messages.matchedText('Something else', 'Published')).toBe('Something else');
  expect(messages.matchedText('Published', undefined)).toBe('Published');
});

test('a feature adds texts and languages from a folder of PO files, and does not change those of the program', () => {
  writeFileSync(join(folder, 'nl.po'), `${HEADER}msgid "Hello"\nmsgstr "Dag"\n\nmsgid "Bye"\nmsgstr "Tot ziens"\n`);
  writeFileSync(join(folder, 'pl.po'), `${HEADER}msgid "Bye"\nmsgstr "Do widzenia"\n\nmsgid "Hello"\nmsgstr ""\n`);
  for (const source of [folder, pathToFileURL(`${folder}/`)]) {
    const all = new Messages(own, [source]);
    expect(all.languages()).toEqual(['nl', 'pl', 'pt-br']);
    expect(all.translate('Hello', 'nl')).toBe('Hallo');
    expect(all.translate('Bye', 'nl')).toBe('Tot ziens');
    expect(all.translate('Bye', 'pl')).toBe('Do widzenia');
    expect(all.translate('Hello', 'pl')).toBe('Hello');
  }
});

test('a feature adds texts that it has as an object by language', () => {
  const all = new Messages(own, [{ pt_BR: { Bye: 'Tchau' } }]);
  expect(all.translate('Bye', 'pt-BR')).toBe('Tchau');
});

test('entries that translators marked as fuzzy count as missing', () => {
  writeFileSync(join(folder, 'da.po'), `${HEADER}#, fuzzy\nmsgid "Hello"\nmsgstr "Farvel"\n`);
  expect(new Messages(own, [folder]).translate('Hello', 'da')).toBe('Hello');
});

test('a folder that is missing stops the start', () => {
  expect(() => new Messages(own, [join(folder, 'nowhere')])).toThrow('nowhere');
});

test('a catalogue is loaded when its language is first used', () => {
  let loads = 0;
  const lazy = new Messages(
    new Map([
      [
        'nl',
        () => {
          loads += 1;
          return { Hello: 'Hallo' };
        },
      ],
    ]),
  );
  expect(loads).toBe(0);
  expect(lazy.translate('Hello', 'de')).toBe('Hello');
  expect(loads).toBe(0);
  expect(lazy.translate('Hello', 'nl') + lazy.translate('Hello', 'nl-be')).toBe('HalloHallo');
  expect(loads).toBe(1);
});

test('the program has its texts in seven languages beside English', () => {
  expect([...localeFiles(packageFolder('locales'), 'canopy').keys()].sort()).toEqual([
    ...['de', 'es', 'fr', 'it', 'nl', 'pt-br', 'sv'],
  ]);
});
