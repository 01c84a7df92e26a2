// Several languages, in a Volto whose own settings name them. Flows of this file build on one another.
import assert from 'node:assert/strict';
import { answered, blocksOf, save, see, text, visit } from '../volto.mjs';

const LANGUAGES = ['en', 'de'];

/** The translations of content, by their languages. */
async function translationsOf(api, path) {
  const { items } = await api('GET', `${path}/@translations`);
  return Object.fromEntries(items.map((item) => [item.language, new URL(item['@id']).pathname]));
}

const publish = (api, path) => api('POST', `${path}/@workflow/publish`, {});

const flows = [
  {
    title: 'The home page leads to that of the language, and the selector to the other one.',
    async run({ open, api }) {
      const settings = { available_languages: LANGUAGES, default_language: 'en', multilingual: true };
      await api('PATCH', '/@controlpanels/language', settings);
      await api('PATCH', '/de', { title: 'Startseite' });
      const { page } = await open({ as: 'visitor' });
      await page.goto('/');
      assert.equal(new URL(page.url()).pathname, '/en');
      await Promise.all([
        page.waitForURL((url) => url.pathname === '/de'),
        page.locator('.language-selector a', { hasText: 'Deutsch' }).click(),
      ]);
      await see(page, 'Startseite');
      await page.waitForSelector('html[lang=de]', { state: 'attached' });
    },
  },
  {
    title: 'A page is translated by the menu for new content, beside its original.',
    async run({ open, api }) {
      await api('POST', '/en', { '@type': 'Document', id: 'letter', title: 'Letter', ...blocksOf(text('Dear all')) });
      const { page } = await open();
      await visit(page, '/en/letter');
      await page.click('#toolbar-add');
      await page.locator('.pastanaga-menu-list a', { hasText: 'Translate to deutsch' }).click();
      await page.waitForURL((url) => url.pathname.endsWith('/create-translation'));
      await page.waitForSelector('#toolbar-save');
      await page.waitForLoadState('networkidle');
      // Volto shows the original beside the form.
      await see(page, 'Dear all');
      // Volto speaks the language of the translation from some moment on, and begins the form anew then: what was typed before is lost.
      await see(page, 'Auf Deutsch übersetzen');
      await page.waitForLoadState('networkidle');
      await page.locator('.block.inner.title [contenteditable=true]').last().click();
      await page.keyboard.type('Brief');
      await save(page, '/de/brief');
      assert.deepEqual(await translationsOf(api, '/en/letter'), { de: '/de/brief' });
      assert.equal((await api('GET', '/de/brief')).language.token, 'de');
    },
  },
  {
    title: 'The selector leads visitors from a page to its translation.',
    async run({ open, api }) {
      await publish(api, '/en/letter');
      await publish(api, '/de/brief');
      const { page } = await open({ as: 'visitor' });
      await page.goto('/en/letter');
      await Promise.all([
        page.waitForURL((url) => url.pathname === '/de/brief'),
        page.locator('.language-selector a', { hasText: 'Deutsch' }).click(),
      ]);
      await see(page, 'Brief');
    },
  },
  {
    title: 'Translations are unlinked, and linked again in the browser of content.',
    async run({ open, api }) {
      const { page } = await open();
      await visit(page, '/en/letter/manage-translations');
      const unlink = page.getByLabel('Unlink translation for deutsch');
      await Promise.all([answered(page, 'DELETE', '@translations'), unlink.click()]);
      assert.deepEqual(await translationsOf(api, '/en/letter'), {});
      await page.getByLabel('Link translation for deutsch').click();
      const browser = page.locator('.sidebar-container');
      await browser.getByLabel('Home').click();
      await browser.getByLabel('Browse Startseite').click();
      await Promise.all([
        answered(page, 'POST', '@translations'),
        browser.locator('li', { hasText: 'Brief' }).first().dblclick(),
      ]);
      assert.deepEqual(await translationsOf(api, '/en/letter'), { de: '/de/brief' });
    },
  },
  {
    title: 'Pictures for all languages are uploaded into the folder that each language has for them.',
    async run({ open, api, picture }) {
      await api('POST', '/de/assets', { '@type': 'Image', id: 'seal', title: 'Seal of the city', image: picture });
      const { page } = await open();
      await visit(page, '/de/assets/contents');
      await see(page, 'Seal of the city');
      await visit(page, '/de/assets/seal');
      await page.waitForFunction(
        () => document.querySelector('#page-document img, .view-wrapper img')?.naturalWidth > 0,
      );
    },
  },
  {
    title: 'The navigation of each language has the pages of that language.',
    async run({ open }) {
      const { page } = await open({ as: 'visitor' });
      for (const [path, seen, hidden] of [
        ['/en', 'Letter', 'Brief'],
        ['/de', 'Brief', 'Letter'],
      ]) {
        await page.goto(path);
        const navigation = page.locator('nav.navigation');
        await navigation.getByText(seen).first().waitFor();
        assert.equal(await navigation.getByText(hidden).count(), 0, path);
      }
    },
  },
];

export default flows.map((flow) => ({ ...flow, languages: LANGUAGES }));
