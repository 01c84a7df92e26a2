import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { collectMessages } from '../../scripts/lib/collect-messages.mjs';
import { parseTranslations, type Translations } from '../../src/core/i18n/catalogue.ts';
import { MessageTemplate, placeholdersOf } from '../../src/core/i18n/message-template.ts';
import { messagesOf } from './po.ts';

const ROOT = join(import.meta.dirname, '../..');
const LANGUAGES = ['de', 'es', 'fr', 'it', 'nl', 'pt_BR', 'sv'];
const RUN = 'Run "npm run messages", then translate what is new in locales/.';

const catalogues = new Map<string, Translations>(
  LANGUAGES.map((language) => [
    language,
    parseTranslations(readFileSync(join(ROOT, 'locales', language, 'LC_MESSAGES/canopy.po'))),
  ]),
);
let template: string[] = [];
let collected: string[] = [];
beforeAll(async () => {
  template = messagesOf(join(ROOT, 'locales/canopy.pot'));
  collected = [...(await collectMessages(ROOT, (module) => import(join(ROOT, 'src', `${module}.ts`)))).keys()];
});

test('the template has every text of the profiles, the features and the source', () => {
  expect(collected.length).toBeGreaterThan(700);
  expect(
    collected.filter((text) => !template.includes(text)),
    RUN,
  ).toEqual([]);
});

test('the template has no text that is gone', () => {
  expect(
    template.filter((text) => !collected.includes(text)),
    RUN,
  ).toEqual([]);
});

test.each(LANGUAGES)('the catalogue of %s has every text of the template and no other', (language) => {
  const present = messagesOf(join(ROOT, 'locales', language, 'LC_MESSAGES/canopy.po'));
  expect(
    template.filter((text) => !Object.hasOwn(catalogues.get(language) ?? {}, text)),
    RUN,
  ).toEqual([]);
  expect(
    present.filter((text) => !template.includes(text)),
    RUN,
  ).toEqual([]);
});

test.each([...catalogues])('the translations into %s have the placeholders of their texts', (_, translations) => {
  for (const [text, translation] of Object.entries(translations))
    expect(placeholdersOf(translation).sort(), text).toEqual(placeholdersOf(text).sort());
});

test.each([...catalogues])('no translation into %s begins or ends with a space', (_, translations) => {
  for (const translation of Object.values(translations)) expect(translation).toBe(translation.trim());
});

test('a text that was made from a message with placeholders is recognized as that message', () => {
  const templates = template
    .filter((text) => placeholdersOf(text).length > 0)
    .map((text) => new MessageTemplate(text))
    .sort((a, b) => b.fixedLength - a.fixedLength);
  const shapeOf = (id: string) => id.replace(/\{\w+\}/g, '{}');
  for (const { id } of templates) {
    const text = id.replace(/\{\w+\}/g, '12');
    const recognized = templates.find((other) => other.match(text));
    expect(shapeOf(recognized?.id ?? ''), text).toBe(shapeOf(id));
  }
});
