// Translations on the page for those who run a site: made, linked, unlinked, and who may do that.
import assert from 'node:assert/strict';
import { PEOPLE } from './manage-site.mjs';

const [ADMIN, EDITOR, MEMBER] = PEOPLE;

/** The translations of content, by their languages. */
async function translationsOf(api, path) {
  const { items } = await api('GET', `${path}/@translations`);
  return Object.fromEntries(items.map((item) => [item.language, new URL(item['@id']).pathname]));
}

/** The row of a language in the table of translations. */
const rowOf = (page, language) => page.getByRole('row').filter({ hasText: language });

/** A site in three languages, with a type one field of which all translations share. */
async function prepare(api) {
  await api('PATCH', '/@controlpanels/language', { available_languages: ['en', 'nl', 'de'], multilingual: true });
  await api('POST', '/@language-folders', {});
  for (const language of ['en', 'nl', 'de'])
    await api('POST', `/${language}/@sharing`, {
      entries: [{ id: EDITOR.login, type: 'user', roles: { Editor: true, Contributor: true, Reader: true } }],
    });
  const type = { id: 'ticket', title: 'Ticket', dublin_core: true, 'plone.translatable': true };
  await api('POST', '/@controlpanels/dexterity-types', type);
  await api('POST', '/@types/ticket', {
    ...{ factory: 'Integer', title: 'Price', description: 'In cents.', required: true },
    multilingual_options: { language_independent: true },
  });
  await api('POST', '/en', { '@type': 'Page', id: 'harbour', title: 'Harbour', language: 'en' });
  await api('POST', '/de', { '@type': 'Page', id: 'hafen', title: 'Hafen', language: 'de' });
  await api('POST', '/en/harbour/@workflow/publish', {});
}

/** Makes a translation, links another, unlinks it; a shared field is taken from the original. */
async function translate(open, api, { logIn, settled, violationsOf }) {
  await prepare(api);
  const { page, context } = await open({});
  await logIn(page, ADMIN);
  await page.goto('/@manage/content?path=/en/harbour');
  await page
    .getByRole('navigation', { name: 'Parts of this page' })
    .getByRole('link', { name: 'Translations' })
    .click();
  await page.getByText('This is in English.').waitFor();
  await page.getByRole('button', { name: 'Make the translation: Dutch' }).click();
  await page.getByText('Translation of “Harbour” into this language: Dutch').waitFor();
  await page.getByLabel('Title').first().fill('Haven');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/path=%2Fnl%2Fhaven/);
  assert.deepEqual(await translationsOf(api, '/en/harbour'), { nl: '/nl/haven' });
  await page.goto('/@manage/content?path=/en/harbour&tab=translations');
  await page.getByLabel('Path of content that is a translation of this').fill('/de/hafen');
  await page.keyboard.press('Enter');
  await page.getByText('It is linked now.').waitFor();
  for (const viewport of [
    { width: 375, height: 740 },
    { width: 1280, height: 820 },
  ]) {
    await page.setViewportSize(viewport);
    await settled(page);
    assert.deepEqual(await violationsOf(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
  }
  assert.deepEqual(await translationsOf(api, '/en/harbour'), { de: '/de/hafen', nl: '/nl/haven' });
  // All have one, so there is nothing to link.
  await page.getByLabel('Path of content that is a translation of this').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Unlink: German' }).click();
  await page.getByText('It is no longer linked. The content stays.').waitFor();
  assert.deepEqual(await translationsOf(api, '/en/harbour'), { nl: '/nl/haven' });
  assert.equal((await api('GET', '/de/hafen')).title, 'Hafen');
  await rowOf(page, 'Dutch').getByRole('link', { name: '/nl/haven' }).click();
  await page.getByText('This is in Dutch.').waitFor();
  await rowOf(page, 'English').getByRole('link', { name: '/en/harbour' }).waitFor();
  // The folders of the languages are linked for good.
  await page.goto('/@manage/content?path=/en&tab=translations');
  await rowOf(page, 'German').getByRole('link', { name: '/de' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Unlink/ }).count(), 0);
  await settled(page);
  await context.close();
}

/** A field that all translations share is not asked for again, also where it is needed. */
async function shareField(open, api, { logIn }) {
  await api('POST', '/en', { '@type': 'ticket', id: 'day', title: 'Day', price: 950, language: 'en' });
  const { page, context } = await open({});
  await logIn(page, ADMIN);
  await page.goto('/@manage/content?path=/en/day&tab=translations');
  await page.getByRole('button', { name: 'Make the translation: German' }).click();
  await page.getByText('All translations have the same: Price').waitFor();
  assert.equal(await page.getByLabel('Price').count(), 0);
  await page.getByLabel('Title').first().fill('Tag');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/path=%2Fde%2Ftag/);
  assert.equal((await api('GET', '/de/tag')).price, 950);
  await page.getByLabel('Price').fill('1200');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await api('GET', '/en/day')).price, 1200);
  await context.close();
}

/** Who may not manage translations sees them, without a way to change them; a site in one language has no such part. */
async function onlyLook(open, api, { logIn, settled }) {
  const { page, context } = await open({});
  await logIn(page, MEMBER);
  await page.goto('/@manage/content?path=/en/harbour&tab=translations');
  await page.getByText('This is in English.').waitFor();
  await settled(page);
  assert.equal(await page.getByRole('button', { name: /^(?:Make the translation|Unlink|Link it)/ }).count(), 0);
  // The translation is private.
  assert.equal(await page.getByRole('link', { name: '/nl/haven' }).count(), 0);
  await context.close();
  const editor = await open({});
  await logIn(editor.page, EDITOR);
  await editor.page.goto('/@manage/content?path=/en/harbour&tab=translations');
  await editor.page.getByRole('link', { name: '/nl/haven' }).waitFor();
  await settled(editor.page);
  await api('PATCH', '/@controlpanels/language', { multilingual: false, available_languages: ['en'] });
  await editor.page.goto('/@manage/content?path=/en/harbour');
  await settled(editor.page);
  assert.equal(await editor.page.getByRole('link', { name: 'Translations', exact: true }).count(), 0);
  await editor.context.close();
}

/** The flows, in order: later ones use the site of the first. */
export const TRANSLATION_FLOWS = [
  { title: 'translations made, linked, unlinked', run: translate },
  { title: 'translations with a field that all share', run: shareField },
  { title: 'translations of those who only look', run: onlyLook },
];
