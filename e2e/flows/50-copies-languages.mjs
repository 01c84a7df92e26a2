// Working copies, and at the end, as they change the addresses of the site, several languages.
import assert from 'node:assert/strict';
import { answered, blocksOf, fillTitle, openForm, save, see, text, visit } from '../volto.mjs';

export default [
  {
    title: 'A working copy is made in the menu, changed, and applied.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'base', title: 'Baseline', ...blocksOf(text('Words')) });
      const { page } = await open();
      await visit(page, '/base');
      await page.click('#toolbar-more');
      await Promise.all([answered(page, 'POST', '@workingcopy'), page.getByText('Create working copy').click()]);
      await page.waitForURL((url) => url.pathname !== '/base');
      const { pathname } = new URL(page.url());
      await openForm(page, `${pathname}/edit`);
      await fillTitle(page, 'Changed in the copy');
      await save(page, pathname);
      await page.click('#toolbar-more');
      await Promise.all([
        answered(page, 'PATCH', '@workingcopy'),
        page.locator('li', { hasText: 'Apply working copy' }).locator('button').click(),
      ]);
      assert.equal((await api('GET', '/base')).title, 'Changed in the copy');
    },
  },
  {
    title: 'A working copy is dropped.',
    async run({ open, api }) {
      const copy = await api('POST', '/base/@workingcopy');
      const { page } = await open();
      await visit(page, new URL(copy['@id']).pathname);
      await page.click('#toolbar-more');
      await page.locator('li', { hasText: 'Remove working copy' }).locator('button').click();
      assert.equal((await api('GET', '/base/@workingcopy')).working_copy, null);
    },
  },
  {
    title: 'With several languages the home page leads to that of the language, and pages are translated.',
    async run({ open, api }) {
      await api('PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'], default_language: 'en' });
      const { page: visitor } = await open({ as: 'visitor' });
      await visitor.goto('/');
      await visitor.waitForURL((url) => url.pathname === '/en');
      const original = { '@type': 'Document', id: 'hello', title: 'Hello', language: 'en' };
      await api('POST', '/en', original);
      const { page } = await open();
      await visit(page, '/en/hello');
      await page.click('#toolbar-more');
      await page.getByText('Translate to').first().click();
      await page.waitForURL((url) => url.pathname.includes('create-translation'));
      await page.waitForSelector('#toolbar-save');
      await page.waitForLoadState('networkidle');
      await fillTitle(page, 'Hallo');
      await save(page, '/de/hallo');
      const { items } = await api('GET', '/en/hello/@translations');
      assert.equal(items[0].language, 'de');
      await see(page, 'Hallo');
    },
  },
];
