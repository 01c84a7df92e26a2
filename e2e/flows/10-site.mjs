// The most important flows: creating content of each type, forms of settings, the contact form, comments, sharing.
import assert from 'node:assert/strict';
import { answered, blocksOf, fillTitle, openForm, save, see, visit } from '../volto.mjs';

const PASSWORD = 'correct horse battery staple';

export default [
  {
    title: 'An event is made with the full hour that the form offers.',
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, '/add?type=Event');
      await fillTitle(page, 'My event');
      await save(page, '/my-event');
      const { start, end } = await api('GET', '/my-event');
      assert.match(start, /:00:00\.000Z$/);
      assert.equal(Date.parse(end) - Date.parse(start), 3_600_000);
    },
  },
  {
    title: 'The add menu offers the types of plone.volto, and neither folders nor collections nor videos.',
    async run({ open }) {
      const { page } = await open();
      await visit(page, '/');
      await page.click('#toolbar-add');
      await page.waitForSelector('#toolbar-add-document');
      const ids = await page.locator('[id^=toolbar-add-]').evaluateAll((all) => all.map(({ id }) => id));
      for (const type of ['document', 'event', 'file', 'image', 'link', 'news-item'])
        assert.ok(ids.includes(`toolbar-add-${type}`), type);
      for (const type of ['folder', 'collection', 'video'])
        assert.ok(!ids.includes(`toolbar-add-${type}`), ids.join(' '));
    },
  },
  {
    title: 'The form of a news item has no field that its page does not show.',
    async run({ open }) {
      const { page } = await open();
      await openForm(page, '/add?type=News Item');
      await page.waitForSelector('.block.inner.title');
      for (const field of ['text', 'image', 'image_caption'])
        assert.equal(await page.locator(`#field-${field}`).count(), 0, field);
    },
  },
  {
    title: 'A type is saved in its panel.',
    async run({ open }) {
      const { page } = await open();
      await openForm(page, '/controlpanel/dexterity-types/Document');
      await page.fill('#field-description', 'A page of the site');
      const [response] = await Promise.all([
        answered(page, 'PATCH', 'dexterity-types/Document'),
        page.click('#toolbar-save'),
      ]);
      assert.equal(response.status(), 204);
      assert.equal(await page.locator('.Toastify__toast--error').count(), 0);
    },
  },
  {
    title: 'A type is made, its layout is switched on, and it is added.',
    async run({ open, api }) {
      const { page } = await open();
      await page.goto('/controlpanel/dexterity-types');
      await page.waitForSelector('#toolbar-add');
      await page.waitForLoadState('networkidle');
      await page.click('#toolbar-add');
      await page.fill('#field-title', 'My Type');
      const [response] = await Promise.all([
        answered(page, 'POST', '@controlpanels/dexterity-types'),
        page.click('.modal .actions button[aria-label=Save], .modal .actions button[title=Save]'),
      ]);
      assert.equal(response.status(), 201);
      await page.goto('/controlpanel/dexterity-types/my_type/layout');
      await page.waitForLoadState('networkidle');
      await page
        .getByRole('button', { name: /enable/i })
        .first()
        .click();
      await page.waitForSelector('.block-editor-title, .block.title, .blocks-form');
      assert.ok('blocks' in (await api('GET', '/@types/my_type')).properties);
    },
  },
  {
    title: 'The contact form of a visitor is sent.',
    async run({ open, api }) {
      await api('PATCH', '/@registry', {
        'plone.email_from_address': 'site@example.com',
        'plone.smtp_host': '127.0.0.1',
      });
      const { page } = await open({ as: 'visitor' });
      await page.goto('/contact-form');
      await page.waitForLoadState('networkidle');
      await page.fill('#field-name', 'Ann');
      await page.fill('#field-from', 'ann@example.com');
      await page.fill('#field-subject', 'Hello');
      await page.fill('#field-message', 'Some words');
      const [response] = await Promise.all([
        answered(page, 'POST', '@email-notification'),
        page.getByRole('button', { name: /send/i }).click(),
      ]);
      assert.equal(response.status(), 204);
    },
  },
  {
    title: 'A page has no form for comments until its editors want one.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'quiet', title: 'Quiet' });
      const { page } = await open();
      await visit(page, '/quiet');
      assert.equal(await page.locator('.comment-form, form.comments, #field-comment').count(), 0);
    },
  },
  {
    title: 'A comment is written, found in the list of the moderators, and gone from it when it is deleted there.',
    async run({ open, api }) {
      await api('PATCH', '/@controlpanels/discussion', { globally_enabled: true });
      await api('POST', '/', { '@type': 'Document', id: 'talk', title: 'Talk', allow_discussion: true });
      const { page } = await open();
      await visit(page, '/talk');
      await page.fill('textarea[name=comment], #field-comment', 'My words');
      await Promise.all([
        answered(page, 'POST', '@comments'),
        page.getByRole('button', { name: 'Comment', exact: true }).click(),
      ]);
      await see(page, 'My words');
      await page.goto('/controlpanel/moderate-comments');
      await page.waitForLoadState('networkidle');
      const row = page.locator('tr', { hasText: 'My words' });
      const [response] = await Promise.all([
        answered(page, 'DELETE', '@comments'),
        row.getByRole('button', { name: 'Delete', exact: true }).click(),
      ]);
      assert.equal(response.status(), 204);
      await row.waitFor({ state: 'detached' });
      await api('PATCH', '/@controlpanels/discussion', { globally_enabled: false });
    },
  },
  {
    title: 'The panel of mail is saved without a mail server.',
    async run({ open, api }) {
      const { page } = await open();
      await openForm(page, '/controlpanel/mail');
      await page.fill('#field-email_from_name', 'The site');
      await page.fill('#field-email_from_address', 'site@example.com');
      const [response] = await Promise.all([
        answered(page, 'PATCH', '@controlpanels/mail'),
        page.click('#toolbar-save'),
      ]);
      assert.equal(response.status(), 204);
      assert.equal((await api('GET', '/@controlpanels/mail')).data.email_from_name, 'The site');
    },
  },
  {
    title: 'The preview image of a page is chosen in the browser of content, and listings show it.',
    async run({ open, api, picture }) {
      await api('POST', '/', { '@type': 'Image', id: 'lead.png', title: 'Lead', image: picture });
      const { UID } = await api('GET', '/lead.png');
      const listing = {
        '@type': 'listing',
        querystring: {
          query: [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '/with-lead' }],
        },
        variation: 'summary',
      };
      await api('POST', '/', { '@type': 'Document', id: 'with-lead', title: 'With lead', preview_image_link: UID });
      await api('POST', '/', { '@type': 'Document', id: 'list', title: 'List', ...blocksOf(listing) });
      const { page } = await open();
      await visit(page, '/list');
      const picture_ = page.locator('.block.listing img').first();
      await picture_.waitFor();
      assert.match(await picture_.getAttribute('src'), /lead\.png\/@@images\/image-/);
      await openForm(page, '/with-lead/edit');
      await page.locator('.field-wrapper-preview_image_link .objectbrowser-field').waitFor();
    },
  },
  {
    title: 'The addresses of the footer lead somewhere.',
    async run({ open }) {
      const { page } = await open({ as: 'visitor' });
      await page.goto('/');
      await page.waitForLoadState('networkidle');
      const links = await page
        .locator('#footer a.item')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.ok(links.length > 0);
      for (const link of links.filter((one) => one.startsWith('/'))) {
        const response = await page.request.get(link);
        assert.equal(response.status(), 200, link);
      }
    },
  },
  {
    title: 'Somebody who edits by sharing opens the form of the page, and saves it.',
    async run({ open, api, tokenOf }) {
      await api('POST', '/@users', {
        username: 'helper',
        email: 'helper@example.com',
        password: PASSWORD,
        roles: ['Member'],
      });
      await api('POST', '/', { '@type': 'Document', id: 'shared', title: 'Shared' });
      await api('POST', '/shared/@sharing', {
        entries: [{ id: 'helper', type: 'user', roles: { Editor: true, Reader: true } }],
      });
      const { page } = await open({ token: await tokenOf('helper', PASSWORD) });
      await openForm(page, '/shared/edit');
      await fillTitle(page, 'Shared and changed');
      await save(page, '/shared');
      assert.equal((await api('GET', '/shared')).title, 'Shared and changed');
    },
  },
  {
    title: 'Roles are given on the page of sharing.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'to-share', title: 'To share' });
      const { page } = await open();
      await visit(page, '/to-share/sharing');
      await page.getByPlaceholder(/user or group/i).fill('helper');
      await page.keyboard.press('Enter');
      await see(page, 'helper');
      await page.locator('tr', { hasText: 'helper' }).locator('.checkbox').nth(1).click();
      const [response] = await Promise.all([
        answered(page, 'POST', '@sharing'),
        page.getByRole('button', { name: 'Save' }).last().click(),
      ]);
      assert.equal(response.status(), 204);
    },
  },
  {
    title: 'A user sees the forms of preferences and of personal data, and saves them.',
    async run({ open, tokenOf, api }) {
      const { page } = await open({ token: await tokenOf('helper', PASSWORD) });
      await page.goto('/personal-information');
      await page.waitForLoadState('networkidle');
      await page.fill('#field-fullname', 'The Helper');
      const [response] = await Promise.all([
        answered(page, 'PATCH', '@users/helper'),
        page.locator('form .actions button, form button[type=submit]').first().click(),
      ]);
      assert.equal(response.status(), 204);
      assert.equal((await api('GET', '/@users/helper')).fullname, 'The Helper');
    },
  },
];
