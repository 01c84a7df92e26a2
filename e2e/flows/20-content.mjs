// Creating, changing and moving content, like the suites "content" and "basic" of Volto.
import assert from 'node:assert/strict';
import { answered, blocksOf, choose, fillTitle, openForm, save, see, text, visit } from '../volto.mjs';

const FILE = { data: 'QSB0ZXh0Cg==', encoding: 'base64', filename: 'notes.txt', 'content-type': 'text/plain' };

async function chooseFile(page, field, name, mimeType, data) {
  await page.setInputFiles(`input#field-${field}, .field-wrapper-${field} input[type=file]`, {
    name,
    mimeType,
    buffer: Buffer.from(data, 'base64'),
  });
}

export default [
  {
    title: 'Somebody logs in by the form, and out again.',
    async run({ open }) {
      const { page } = await open({ as: 'visitor' });
      await page.goto('/login');
      await page.waitForLoadState('networkidle');
      await page.fill('#login', 'admin');
      await page.fill('#password', 'admin');
      await page.click('#login-form-submit');
      await page.waitForSelector('#toolbar');
      await page.goto('/logout');
      await page.waitForSelector('#toolbar .toolbar-actions', { state: 'detached' });
    },
  },
  {
    title: 'The login form reports a wrong password.',
    expected: [401],
    async run({ open }) {
      const { page } = await open({ as: 'visitor', expected: [401] });
      await page.goto('/login');
      await page.waitForLoadState('networkidle');
      await page.fill('#login', 'admin');
      await page.fill('#password', 'wrong');
      await page.click('#login-form-submit');
      await page.locator('.Toastify__toast--error').waitFor();
    },
  },
  ...[
    ['Document', 'my-page'],
    ['News Item', 'my-news'],
  ].map(([type, id]) => ({
    title: `A ${type} is written in the layout editor, saved, and shown.`,
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, `/add?type=${encodeURIComponent(type)}`);
      await fillTitle(page, id.replace('-', ' '));
      await page.keyboard.press('Enter');
      await page.locator('.block-editor-slate [contenteditable=true]').last().click();
      await page.keyboard.type('Words of the page');
      await save(page, `/${id}`);
      await see(page, 'Words of the page');
      assert.equal((await api('GET', `/${id}`))['@type'], type);
    },
  })),
  {
    title: 'A link is made.',
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, '/add?type=Link');
      await page.fill('#field-title', 'My link');
      await page.locator('.field-wrapper-remoteUrl input').click();
      await page.keyboard.type('https://example.com/');
      await save(page, '/my-link');
      assert.equal((await api('GET', '/my-link')).remoteUrl, 'https://example.com/');
    },
  },
  {
    title: 'A picture is uploaded by the form, without a title.',
    async run({ open, api, picture }) {
      const { page } = await open();
      await openForm(page, '/add?type=Image');
      await chooseFile(page, 'image', 'picture.png', 'image/png', picture.data);
      await page.locator('.field-wrapper-image img, .image-preview').first().waitFor();
      await save(page, '/picture.png');
      assert.equal((await api('GET', '/picture.png')).image.filename, 'picture.png');
      await page.locator('#page-document img, .view-wrapper img').first().waitFor();
    },
  },
  {
    title: 'A file is uploaded by the form.',
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, '/add?type=File');
      await chooseFile(page, 'file', FILE.filename, 'text/plain', FILE.data);
      await page.waitForTimeout(500);
      await save(page, '/notes.txt');
      assert.equal((await api('GET', '/notes.txt')).file.filename, FILE.filename);
    },
  },
  {
    title: 'A page is edited; the former version is in its history.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'versions', title: 'First title', ...blocksOf(text('Words')) });
      const { page } = await open();
      await openForm(page, '/versions/edit');
      await fillTitle(page, 'Second title');
      await save(page, '/versions');
      await page.goto('/versions/historyview');
      await page.waitForLoadState('networkidle');
      assert.ok((await page.locator('table tbody tr').count()) >= 2);
      assert.equal((await api('GET', '/versions/@history/0')).title, 'First title');
    },
  },
  {
    title: 'Cancelling a form leaves the page as it was, and unlocked.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'cancelled', title: 'As it was' });
      const { page } = await open();
      await openForm(page, '/cancelled/edit');
      await fillTitle(page, 'Something else');
      await Promise.all([answered(page, 'DELETE', '@lock'), page.click('.toolbar .cancel, #toolbar button.cancel')]);
      const { title, lock } = await api('GET', '/cancelled');
      assert.deepEqual([title, lock.locked], ['As it was', false]);
    },
  },
  {
    title: 'A page is published in the toolbar, and visitors read it.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'public', title: 'To be public' });
      const { page } = await open();
      await visit(page, '/public');
      await page.click('#toolbar-more');
      await page.locator('.state-select input').first().focus();
      await page.keyboard.press('ArrowDown');
      await Promise.all([
        answered(page, 'POST', '@workflow/publish'),
        page
          .locator('[class*="-option"]', { hasText: /publish/i })
          .first()
          .click(),
      ]);
      const { page: visitor } = await open({ as: 'visitor' });
      const response = await visitor.goto('/public');
      assert.equal(response.status(), 200);
    },
  },
  {
    title: 'A visitor is asked to log in for a private page, and sees a message for a missing one.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'secret', title: 'Secret' });
      const { page } = await open({ as: 'visitor', expected: [401, 404] });
      assert.equal((await page.goto('/secret')).status(), 401);
      assert.equal((await page.goto('/nowhere')).status(), 404);
      await see(page, 'This page does not seem to exist');
    },
  },
  {
    title: 'The contents of a folder are listed, and one is cut and pasted elsewhere.',
    async run({ open, api }) {
      for (const id of ['from', 'to']) await api('POST', '/', { '@type': 'Document', id, title: `The ${id}` });
      await api('POST', '/from', { '@type': 'Document', id: 'moved', title: 'Moved page' });
      const { page } = await open();
      await choose(page, '/from', ['Moved page']);
      await page.click('button[aria-label=Cut]');
      // Volto remembers the cut content until the page is reloaded.
      await page.locator('nav a, #navigation a', { hasText: 'The to' }).first().click();
      await page.waitForURL((url) => url.pathname === '/to');
      await page.locator('.toolbar a[aria-label=Contents], #toolbar a[href$="/contents"]').first().click();
      await page.waitForURL((url) => url.pathname === '/to/contents');
      await page.waitForLoadState('networkidle');
      await Promise.all([answered(page, 'POST', '@move'), page.click('button[aria-label=Paste]')]);
      assert.equal((await api('GET', '/to/moved')).title, 'Moved page');
    },
  },
  {
    title: 'Content is copied and pasted.',
    async run({ open, api }) {
      const { page } = await open();
      await choose(page, '/to', ['Moved page']);
      await page.click('button[aria-label=Copy]');
      await Promise.all([answered(page, 'POST', '@copy'), page.click('button[aria-label=Paste]')]);
      assert.equal((await api('GET', '/to')).items_total, 2);
    },
  },
  {
    title: 'Deleting asks first, and tells of links to the content.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'doomed', title: 'Doomed' });
      const link = { type: 'link', data: { url: '/doomed' }, children: [{ text: 'there' }] };
      await api('POST', '/', {
        '@type': 'Document',
        id: 'linking',
        title: 'Linking',
        ...blocksOf(text('there', [link])),
      });
      const { page } = await open();
      await choose(page, '', ['Doomed']);
      await page.click('button[aria-label=Delete]');
      await see(page, 'Linking');
      await Promise.all([
        answered(page, 'DELETE', '/doomed'),
        page
          .locator('.modal button.primary, .modal .actions button, [role=dialog] button', { hasText: /delete/i })
          .last()
          .click(),
      ]);
      await assert.rejects(api('GET', '/doomed'), /404/);
    },
  },
  {
    title: 'Content is renamed; its old address leads to the new one.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'old-name', title: 'Old name' });
      await api('POST', '/old-name/@workflow/publish', {});
      const { page } = await open();
      await choose(page, '', ['Old name']);
      await page.click('button[aria-label=Rename]');
      await page.fill('#field-0_id', 'new-name');
      await Promise.all([answered(page, 'PATCH', '/old-name'), page.locator('.modal .actions button').first().click()]);
      const { page: visitor } = await open({ as: 'visitor' });
      await visitor.goto('/old-name');
      await visitor.waitForURL((url) => url.pathname === '/new-name');
    },
  },
  {
    title: 'A search of a visitor finds published pages by their words.',
    async run({ open, api }) {
      await api('POST', '/', {
        '@type': 'Document',
        id: 'found',
        title: 'Findable',
        ...blocksOf(text('Xylophone music')),
      });
      await api('POST', '/found/@workflow/publish', {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/search?SearchableText=xylophone');
      await page.waitForLoadState('networkidle');
      await see(page, 'Findable');
    },
  },
  {
    title: 'The site map has the published pages.',
    async run({ open }) {
      const { page } = await open({ as: 'visitor' });
      await page.goto('/sitemap');
      await see(page, 'Findable');
    },
  },
  {
    title: 'Breadcrumbs and navigation lead through the site.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'up', title: 'Upper' });
      await api('POST', '/up', { '@type': 'Document', id: 'down', title: 'Lower' });
      const { page } = await open();
      await visit(page, '/up/down');
      await page.locator('.breadcrumbs a', { hasText: 'Upper' }).click();
      await page.waitForURL((url) => url.pathname === '/up');
      await page.locator('#navigation a, nav.navigation a', { hasText: 'Upper' }).first().waitFor();
    },
  },
];
