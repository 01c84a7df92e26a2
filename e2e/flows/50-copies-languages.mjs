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
    title: 'A page and its working copy name each other to editors, and visitors see the page alone.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'leaflet', title: 'Leaflet', ...blocksOf(text('Words')) });
      await api('POST', '/leaflet/@workflow/publish', {});
      const { pathname } = new URL((await api('POST', '/leaflet/@workingcopy'))['@id']);
      const { page } = await open();
      await visit(page, '/leaflet');
      await see(page, 'This has an ongoing working copy in');
      await visit(page, pathname);
      await see(page, 'This is a working copy of');
      const { page: visitor } = await open({ as: 'visitor', expected: [401, 404] });
      assert.equal((await visitor.goto('/leaflet')).status(), 200);
      assert.equal(await visitor.getByText('working copy').count(), 0);
      assert.notEqual((await visitor.goto(pathname)).status(), 200);
      await api('DELETE', `${pathname}/@workingcopy`);
    },
  },
  {
    title: 'A working copy is dropped.',
    async run({ open, api }) {
      const copy = await api('POST', '/base/@workingcopy');
      const { page } = await open();
      await visit(page, new URL(copy['@id']).pathname);
      await page.click('#toolbar-more');
      await Promise.all([
        answered(page, 'DELETE', '@workingcopy'),
        page.locator('li', { hasText: 'Remove working copy' }).locator('button').click(),
      ]);
      assert.equal((await api('GET', '/base/@workingcopy')).working_copy, null);
    },
  },
  {
    title: 'With several languages there is a folder for each, which visitors open, and pages in it have its language.',
    async run({ open, api }) {
      const settings = { available_languages: ['en', 'de'], default_language: 'en', multilingual: true };
      await api('PATCH', '/@controlpanels/language', settings);
      const { page: visitor } = await open({ as: 'visitor' });
      for (const path of ['/', '/en', '/de']) assert.equal((await visitor.goto(path)).status(), 200, path);
      const { page } = await open();
      await openForm(page, '/de/add?type=Document');
      await fillTitle(page, 'Hallo');
      await save(page, '/de/hallo');
      assert.equal((await api('GET', '/de/hallo')).language.token, 'de');
    },
  },
];
