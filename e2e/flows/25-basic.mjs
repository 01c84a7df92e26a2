// The pages around content: other addresses, links, locks, dates, contents, registration.
import assert from 'node:assert/strict';
import { answered, blocksOf, choose, fillTitle, openForm, save, see, text, visit } from '../volto.mjs';

const PASSWORD = 'correct horse battery';

const page_ = (api, id, more = {}) => api('POST', '/', { '@type': 'Document', id, title: `Page ${id}`, ...more });

/** Creates a user with the role Editor, and returns a token. */
async function editor({ api, tokenOf }, username) {
  const person = { username, email: `${username}@example.com`, password: PASSWORD, roles: ['Member', 'Editor'] };
  await api('POST', '/@users', person);
  return tokenOf(username, PASSWORD);
}

/** Replaces the words of a block in the layout editor. */
async function writeIn(page, words, others) {
  await page.locator('.block-editor-slate [contenteditable=true]', { hasText: words }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(others);
}

export default [
  {
    title: 'A page gets another address on its own page of addresses, which leads visitors to it, and loses it.',
    async run({ open, api }) {
      await page_(api, 'many-ways');
      await api('POST', '/many-ways/@workflow/publish', {});
      const { page } = await open();
      await visit(page, '/many-ways/aliases');
      await page.fill('#alternative-url-input', '/other-way');
      await Promise.all([answered(page, 'POST', '@aliases'), page.click('#submit-alias')]);
      await see(page, '/other-way');
      const { page: visitor } = await open({ as: 'visitor' });
      await visitor.goto('/other-way');
      assert.equal(new URL(visitor.url()).pathname, '/many-ways');
      await page.locator('.checkbox:has(#alias-check-0) label').click();
      await Promise.all([answered(page, 'DELETE', '@aliases'), page.click('#remove-alias')]);
      assert.deepEqual((await api('GET', '/many-ways/@aliases')).items, []);
    },
  },
  {
    title: 'The page of links tells which content leads to a page.',
    async run({ open, api }) {
      const { UID } = await page_(api, 'led-to');
      const link = { type: 'link', data: { url: '/led-to' }, children: [{ text: 'there' }] };
      await page_(api, 'leads', blocksOf(text('x', [link])));
      await page_(api, 'relates', { relatedItems: [UID] });
      const { page } = await open();
      await visit(page, '/led-to/links-to-item');
      await see(page, 'Page leads');
      await see(page, 'Page relates');
    },
  },
  {
    title: 'A page shows who else edits it, and can be unlocked.',
    async run(site) {
      const { open, api } = site;
      await page_(api, 'held');
      const first = await open({ token: await editor(site, 'holder') });
      await openForm(first.page, '/held/edit');
      for (let tries = 0; !(await api('GET', '/held')).lock.locked && tries < 50; tries += 1)
        await first.page.waitForTimeout(100);
      const { page } = await open();
      await page.goto('/held');
      await see(page, 'holder');
      await Promise.all([answered(page, 'DELETE', '@lock'), page.locator('#toolbar [aria-label="Unlock"]').click()]);
      assert.equal((await api('GET', '/held')).lock.locked, false);
    },
  },
  {
    title: 'Two editors save the same page: what both have written is there.',
    async run(site) {
      const { open, api } = site;
      await page_(api, 'of-two', blocksOf(text('First words'), text('Other words')));
      const [one, two] = [
        await open({ token: await editor(site, 'first-editor') }),
        await open({ token: await editor(site, 'second-editor') }),
      ];
      await openForm(one.page, '/of-two/edit');
      await openForm(two.page, '/of-two/edit');
      await writeIn(one.page, 'First words', 'Words of the first');
      await writeIn(two.page, 'Other words', 'Words of the second');
      await save(one.page, '/of-two');
      assert.equal((await api('GET', '/of-two')).lock.locked, false);
      await save(two.page, '/of-two');
      const { blocks } = await api('GET', '/of-two');
      assert.deepEqual([blocks.b1.plaintext, blocks.b2.plaintext], ['Words of the first', 'Words of the second']);
      await visit(one.page, '/of-two');
      await see(one.page, 'Words of the first');
      await see(one.page, 'Words of the second');
    },
  },
  {
    title: 'Two editors write the same words: the second is shown that, and keeps the form with what was written.',
    async run(site) {
      const { open, api } = site;
      await page_(api, 'contested', blocksOf(text('The words')));
      const [one, two] = [
        await open({ token: await editor(site, 'third-editor'), expected: [403, 409] }),
        await open({ token: await editor(site, 'fourth-editor') }),
      ];
      await openForm(one.page, '/contested/edit');
      // The second removes the lock of the first, as the page offers it, and saves.
      await two.page.goto('/contested');
      const unlock = two.page.locator('#toolbar [aria-label="Unlock"]');
      await unlock.waitFor();
      await Promise.all([answered(two.page, 'DELETE', '@lock'), unlock.click()]);
      await openForm(two.page, '/contested/edit');
      await writeIn(one.page, 'The words', 'By the first');
      await writeIn(two.page, 'The words', 'By the second');
      await Promise.all([answered(one.page, 'PATCH', '/contested'), one.page.click('#toolbar-save')]);
      await see(one.page, 'locked by');
      await save(two.page, '/contested');
      const [refused] = await Promise.all([answered(one.page, 'PATCH', '/contested'), one.page.click('#toolbar-save')]);
      assert.equal(refused.status(), 409);
      await see(one.page, 'Nothing was saved');
      await see(one.page, 'By the first');
      assert.equal((await api('GET', '/contested')).blocks.b1.plaintext, 'By the second');
    },
  },
  {
    title: 'Tags and dates are written in the form, and are those of the page.',
    async run({ open, api }) {
      await page_(api, 'dated');
      const { page } = await open();
      await openForm(page, '/dated/edit');
      const tags = page.locator('.field-wrapper-subjects input').first();
      await tags.focus();
      await page.keyboard.type('spring');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.fill('#effective-date', '02/03/2031');
      await page.keyboard.press('Escape');
      await save(page, '/dated');
      const { subjects, effective } = await api('GET', '/dated');
      assert.deepEqual(subjects, ['spring']);
      assert.match(effective, /^2031-0[23]-0/);
    },
  },
  {
    title: 'A page shows its related items, tags and dates in Volto’s own view.',
    async run({ open, api }) {
      const { UID } = await page_(api, 'a-relation');
      await api('POST', '/a-relation/@workflow/publish', {});
      await api('POST', '/', {
        '@type': 'Event',
        id: 'show',
        title: 'Show',
        start: '2031-02-03T00:00:00Z',
        end: '2031-02-04T00:00:00Z',
        whole_day: true,
        location: 'The hall',
        contact_name: 'Ann',
        relatedItems: [UID],
        subjects: ['theatre'],
      });
      await api('POST', '/show/@workflow/publish', {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/show');
      for (const words of ['Show', 'The hall', 'Ann', 'theatre']) await see(page, words);
      assert.equal((await api('GET', '/show')).end, '2031-02-04T23:59:59.000Z');
    },
  },
  {
    title: 'An event that repeats shows when it takes place again.',
    async run({ open, api }) {
      const times = { start: '2031-02-03T10:00:00Z', end: '2031-02-03T11:00:00Z' };
      const recurrence = 'RRULE:FREQ=WEEKLY;COUNT=3';
      await api('POST', '/', { '@type': 'Event', id: 'weekly', title: 'Weekly', ...times, recurrence });
      const { page } = await open();
      await openForm(page, '/weekly/edit');
      await page.locator('.recurrence-widget').waitFor();
      await fillTitle(page, 'Every week');
      await save(page, '/weekly');
      const event = await api('GET', '/weekly');
      assert.deepEqual([event.title, event.recurrence], ['Every week', recurrence]);
    },
  },
  {
    title: 'Several pages are published at once in the contents of a folder.',
    async run({ open, api }) {
      await page_(api, 'states');
      for (const id of ['one', 'two']) await api('POST', '/states', { '@type': 'Document', id, title: `State ${id}` });
      const { page } = await open();
      await choose(page, '/states', ['State one', 'State two']);
      await page.locator('.top-menu svg.semaphore').click();
      await page.locator('.modal .react-select-container, .modal [class*=control]').first().click();
      await page.locator('.modal').getByText('Publish', { exact: true }).click();
      await page.locator('.modal .actions button, .modal button[aria-label=Save]').first().click();
      await page.locator('.modal').waitFor({ state: 'detached' });
      const states = await Promise.all(['one', 'two'].map((id) => api('GET', `/states/${id}`)));
      assert.deepEqual(
        states.map(({ review_state: state }) => state),
        ['published', 'published'],
      );
    },
  },
  {
    title: 'Content is put in another order in the contents of a folder.',
    async run({ open, api }) {
      await page_(api, 'order');
      for (const id of ['a', 'b', 'c']) await api('POST', '/order', { '@type': 'Document', id, title: `Order ${id}` });
      const { page } = await open();
      await visit(page, '/order/contents');
      const row = page.locator('tr', { hasText: 'Order c' });
      await row.locator('.dropdown-popup-trigger').click();
      await Promise.all([answered(page, 'PATCH', '/order'), page.getByText('Move to top of folder').click()]);
      const { items } = await api('GET', '/order');
      assert.deepEqual(
        items.map(({ id }) => id),
        ['c', 'a', 'b'],
      );
    },
  },
  {
    title: 'Tags are given to several pages in the contents of a folder.',
    async run({ open, api }) {
      await page_(api, 'tags');
      await api('POST', '/tags', { '@type': 'Document', id: 'x', title: 'Tagged x', subjects: ['old'] });
      const { page } = await open();
      await choose(page, '/tags', ['Tagged x']);
      await page.locator('.top-menu svg.tag').click();
      const add = page.locator('.modal .field-wrapper-tags_to_add input').first();
      await add.focus();
      await page.keyboard.type('fresh');
      await page.keyboard.press('Enter');
      await page.locator('.modal button[aria-label=Save]').click();
      await page.locator('.modal').waitFor({ state: 'detached' });
      assert.deepEqual((await api('GET', '/tags/x')).subjects.toSorted(), ['fresh', 'old']);
    },
  },
  {
    title: 'A file is uploaded in the contents of a folder.',
    async run({ open, api }) {
      await page_(api, 'uploads');
      const { page } = await open();
      await visit(page, '/uploads/contents');
      await page.locator('.top-menu svg.upload').click();
      await page.setInputFiles('.modal input[type=file]', {
        name: 'words.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Some words'),
      });
      await page.locator('.modal input.file-name, .modal .file-name input').first().waitFor();
      await Promise.all([
        answered(page, 'POST', '/uploads'),
        page.locator('.modal button[aria-label^=Upload]').click(),
      ]);
      assert.equal((await api('GET', '/uploads/words.txt')).file.filename, 'words.txt');
    },
  },
  {
    title: 'Another view of a page is chosen in the menu.',
    async run({ open, api }) {
      await page_(api, 'views');
      await api('POST', '/views', { '@type': 'Document', id: 'inside', title: 'Inside the view' });
      const { page } = await open();
      await visit(page, '/views');
      await page.click('#toolbar-more');
      await page.locator('.field-wrapper-display-select .react-select__control').click();
      const choice = page.locator('.react-select__option').nth(1);
      await Promise.all([answered(page, 'PATCH', '/views'), choice.click()]);
      const { layouts } = await api('GET', '/@types/Document');
      const { layout } = await api('GET', '/views');
      assert.ok(layouts.includes(layout) && layout !== layouts[0], layout);
    },
  },
  {
    title: 'A comment is changed and removed where the site lets.',
    async run({ open, api }) {
      const settings = { globally_enabled: true, edit_comment_enabled: true, delete_own_comment_enabled: true };
      await api('PATCH', '/@controlpanels/discussion', settings);
      await page_(api, 'discussed', { allow_discussion: true });
      await api('POST', '/discussed/@comments', { text: 'First words' });
      const { page } = await open();
      await visit(page, '/discussed');
      await see(page, 'First words');
      await page.locator('.comments [aria-label=Edit]').first().click();
      const dialog = page.locator('.modal');
      await dialog.locator('textarea').fill('Other words');
      await Promise.all([answered(page, 'PATCH', '@comments'), dialog.locator('.actions button').first().click()]);
      await see(page, 'Other words');
      await Promise.all([
        answered(page, 'DELETE', '@comments'),
        page.locator('.comments [aria-label=Delete]').first().click(),
      ]);
      assert.equal((await api('GET', '/discussed/@comments')).items_total, 0);
    },
  },
  {
    title: 'A visitor registers where the site lets, with nothing but name and address.',
    async run({ open, api }) {
      await api('PATCH', '/@controlpanels/security', { enable_self_reg: true, use_email_as_login: true });
      const { page } = await open({ as: 'visitor' });
      await page.goto('/register');
      await page.waitForLoadState('networkidle');
      await page.fill('#field-fullname', 'New Visitor');
      await page.fill('#field-email', 'newcomer@example.com');
      const [response] = await Promise.all([
        answered(page, 'POST', '@users'),
        page.locator('#page-register button[type=submit], #page-register .actions button').first().click(),
      ]);
      assert.equal(response.status(), 201);
      await api('PATCH', '/@controlpanels/security', { enable_self_reg: false, use_email_as_login: false });
      assert.ok((await api('GET', '/@users')).some(({ fullname }) => fullname === 'New Visitor'));
    },
  },
  {
    title: 'A type of content is found by the parameters of a search, and a search without results says so.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'News Item', id: 'zebra-news', title: 'Zebra news' });
      await api('POST', '/', { '@type': 'Document', id: 'zebra-page', title: 'Zebra page' });
      for (const id of ['zebra-news', 'zebra-page']) await api('POST', `/${id}/@workflow/publish`, {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/search?SearchableText=zebra&portal_type=News%20Item');
      await see(page, 'Zebra news');
      assert.equal(await page.locator('#page-search').getByText('Zebra page').count(), 0);
      await page.goto('/search?SearchableText=qqqqq');
      await see(page, 'No results found');
    },
  },
];
