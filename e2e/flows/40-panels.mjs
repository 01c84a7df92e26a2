// Control panels.
import assert from 'node:assert/strict';
import { answered, openForm, see } from '../volto.mjs';

/** Opens a panel and waits until it reacts to clicks. */
async function openPanel(page, path) {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
}

export default [
  {
    title: 'The page of all control panels opens, and each of its panels, without an error.',
    async run({ open }) {
      const { page } = await open();
      await openPanel(page, '/controlpanel');
      const links = await page
        .locator('a[href^="/controlpanel/"]')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.ok(links.length > 15, String(links.length));
      for (const link of new Set(links)) {
        await openPanel(page, link);
        assert.equal(await page.getByText('Sorry, something went wrong').count(), 0, link);
      }
    },
  },
  {
    title: 'The title of the site is changed.',
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, '/controlpanel/site');
      await page.fill('#field-site_title', 'A new title');
      const [response] = await Promise.all([
        answered(page, 'PATCH', '@controlpanels/site'),
        page.click('#toolbar-save'),
      ]);
      assert.equal(response.status(), 204);
      assert.equal((await api('GET', '/@site'))['plone.site_title'], 'A new title');
    },
  },
  {
    title: 'The logo of the site is set together with its title, shown to visitors, and taken away.',
    async run({ open, picture, api }) {
      const { page } = await open();
      const save = async () => {
        const [response] = await Promise.all([
          answered(page, 'PATCH', '@controlpanels/site'),
          page.click('#toolbar-save'),
        ]);
        assert.equal(response.status(), 204);
      };
      await openForm(page, '/controlpanel/site');
      await page.fill('#field-site_title', 'A site with a logo');
      const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(picture.data, 'base64') };
      await page.locator('input[type=file]#field-site_logo').setInputFiles(file);
      await page.locator('#field-site_logo-image').waitFor();
      await save();
      assert.equal((await api('GET', '/@site'))['plone.site_title'], 'A site with a logo');
      const { page: visited } = await open({ as: 'visitor' });
      await visited.goto('/');
      const logo = visited.locator('.logo img[src*="@@site-logo/logo.png"]').first();
      await logo.waitFor();
      assert.ok(await logo.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
      await openForm(page, '/controlpanel/site');
      await page.locator('.field-wrapper-site_logo .delete-button').click();
      await save();
      assert.equal((await api('GET', '/@site'))['plone.site_logo'], null);
    },
  },
  {
    title: 'A user is made in the panel of users, and found there.',
    async run({ open, api }) {
      const { page } = await open();
      await openPanel(page, '/controlpanel/users');
      await page.click('#toolbar-add');
      await page.fill('.modal #field-username', 'panel-user');
      await page.fill('.modal #field-fullname', 'Panel User');
      await page.fill('.modal #field-email', 'panel@example.com');
      await page.fill('.modal #field-password', 'correct horse battery');
      const [response] = await Promise.all([
        answered(page, 'POST', '@users'),
        page.locator('.modal .actions button').first().click(),
      ]);
      assert.equal(response.status(), 201);
      await see(page, 'panel-user');
      assert.equal((await api('GET', '/@users/panel-user')).fullname, 'Panel User');
    },
  },
  {
    title: 'A group is made in the panel of groups.',
    async run({ open, api }) {
      const { page } = await open();
      await openPanel(page, '/controlpanel/groups');
      await page.click('#toolbar-add');
      await page.fill('.modal #field-title', 'The team');
      await page.fill('.modal #field-groupname', 'team');
      const [response] = await Promise.all([
        answered(page, 'POST', '@groups'),
        page.locator('.modal .actions button').first().click(),
      ]);
      assert.equal(response.status(), 201);
      assert.equal((await api('GET', '/@groups/team')).title, 'The team');
    },
  },
  {
    title: 'An edit is undone in the panel of undo, where most rows are not ticked.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'regretted', title: 'As it was' });
      await api('PATCH', '/regretted', { title: 'As nobody wanted it' });
      const { page } = await open();
      await openPanel(page, '/controlpanel/undo');
      await page.locator('.transactions-checkboxes').first().locator('input').check({ force: true });
      const [response] = await Promise.all([answered(page, 'PATCH', '@transactions'), page.click('#undo-button')]);
      assert.equal(response.status(), 200);
      assert.equal((await api('GET', '/regretted')).title, 'As it was');
    },
  },
  {
    title: 'An add-on is installed.',
    async run({ open, api }) {
      const { page } = await open();
      await openPanel(page, '/controlpanel/addons');
      await page.getByText('Session refresh support').first().click();
      await Promise.all([
        answered(page, 'POST', '@addons/plone.session/install'),
        page.locator('button.installAction:visible').first().click(),
      ]);
      assert.equal((await api('GET', '/@addons/plone.session')).is_installed, true);
    },
  },
];
