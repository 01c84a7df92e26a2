// Control panels of people, types, addresses and the parts of the program.
import assert from 'node:assert/strict';
import { answered, openForm, see } from '../volto.mjs';

const PASSWORD = 'correct horse battery';

/** Opens a panel and waits until it reacts to clicks. */
async function openPanel(page, path) {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
}

const person = (username, more = {}) => ({
  username,
  fullname: `Person ${username}`,
  email: `${username}@example.com`,
  password: PASSWORD,
  roles: ['Member'],
  ...more,
});

export default [
  {
    title: 'A role is given in the panel of users.',
    async run({ open, api }) {
      await api('POST', '/@users', person('climber'));
      const { page } = await open();
      await openPanel(page, '/controlpanel/users');
      await page.fill('#user-search-input', 'climber');
      await page.keyboard.press('Enter');
      const row = page.locator('tr', { hasText: 'climber' });
      await row.waitFor();
      await row.locator('.checkbox').nth(1).click();
      await Promise.all([answered(page, 'PATCH', '@users/climber'), page.click('#toolbar-save')]);
      assert.deepEqual((await api('GET', '/@users/climber')).roles.toSorted(), ['Member', 'Reader']);
    },
  },
  {
    title: 'A user is changed, and deleted, in the panel of users.',
    async run({ open, api }) {
      await api('POST', '/@users', person('leaver'));
      const { page } = await open();
      await openPanel(page, '/controlpanel/users');
      const row = page.locator('tr', { hasText: 'leaver' });
      await row.locator('[role=listbox], .dropdown').last().click();
      await row.locator('#edit-user-button').click();
      await page.locator('.modal #field-fullname').fill('Gone Soon');
      await Promise.all([
        answered(page, 'PATCH', '@users/leaver'),
        page.locator('.modal .actions button').first().click(),
      ]);
      assert.equal((await api('GET', '/@users/leaver')).fullname, 'Gone Soon');
      await openPanel(page, '/controlpanel/users');
      await row.locator('[role=listbox], .dropdown').last().click();
      await row.locator('#delete-user-button').click();
      await Promise.all([
        answered(page, 'DELETE', '@users/leaver'),
        page.locator('.modal .actions button.primary, .modal .actions button').last().click(),
      ]);
      assert.equal(
        (await api('GET', '/@users')).some(({ id }) => id === 'leaver'),
        false,
      );
    },
  },
  {
    title: 'Users are put into groups in the panel of memberships.',
    async run({ open, api }) {
      await api('POST', '/@users', person('joiner'));
      await api('POST', '/@groups', { groupname: 'choir', title: 'The choir', roles: [] });
      const { page } = await open();
      await openPanel(page, '/controlpanel/usergroupmembership');
      const row = page.locator('#source-row-joiner');
      await row.waitFor();
      await Promise.all([
        answered(page, 'PATCH', '@groups/choir'),
        row.locator('.checkbox_choir, [class*=checkbox_choir]').first().click(),
      ]);
      const { members } = await api('GET', '/@groups/choir');
      assert.deepEqual(
        members.items.map((one) => one.id ?? one),
        ['joiner'],
      );
    },
  },
  {
    title: 'A type gets a field in its schema, and the form of its content has it.',
    async run({ open, api }) {
      await api('POST', '/@controlpanels/dexterity-types', { title: 'Recipe', description: 'What to cook' });
      const { page } = await open();
      await openForm(page, '/controlpanel/dexterity-types/recipe/schema');
      await page.click('#addfield');
      await page.locator('.modal .react-select-container, .modal [class*=control]').first().click();
      await page.getByText('Text line (String)', { exact: true }).last().click();
      await page.locator('.modal #field-title').fill('Cook');
      await page.locator('.modal .actions button').first().click();
      await page.locator('.modal').waitFor({ state: 'detached' });
      await Promise.all([answered(page, 'PUT', '@types/recipe'), page.click('#toolbar-save')]);
      assert.equal((await api('GET', '/@types/recipe')).properties.cook.title, 'Cook');
      await openForm(page, '/add?type=recipe');
      await page.locator('#field-cook').waitFor();
    },
  },
  {
    title: 'Another address is made and removed in the panel of addresses.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'addressed', title: 'Addressed' });
      const { page } = await open();
      await openPanel(page, '/controlpanel/aliases');
      await page.click('#add-alt-url');
      await page.locator('.modal input[name=altUrlPath], .modal #field-altUrlPath').fill('/short');
      await page.locator('.modal input[name=targetUrlPath], .modal #field-targetUrlPath').fill('/addressed');
      await Promise.all([answered(page, 'POST', '@aliases'), page.locator('.modal .actions button').first().click()]);
      await see(page, '/short');
      assert.ok((await api('GET', '/@aliases')).items.some(({ path }) => path === '/short'));
    },
  },
  {
    title: 'An author submits a page in the menu, and is not offered to publish it.',
    async run({ open, api, tokenOf }) {
      await api('POST', '/@users', person('author', { roles: ['Member', 'Contributor'] }));
      await api('POST', '/', { '@type': 'Document', id: 'shelf', title: 'Shelf' });
      await api('POST', '/shelf/@workflow/publish', {});
      await api('POST', '/shelf/@sharing', {
        entries: [{ id: 'author', type: 'user', roles: { Contributor: true } }],
      });
      const { page } = await open({ token: await tokenOf('author', PASSWORD) });
      await openForm(page, '/shelf/add?type=Document');
      const title = page.locator('.block.inner.title [contenteditable=true]').first();
      await title.click();
      await page.keyboard.type('Draft');
      await page.click('#toolbar-save');
      await page.waitForURL((url) => url.pathname === '/shelf/draft');
      await page.waitForLoadState('networkidle');
      await page.click('#toolbar-more');
      await page.locator('.field-wrapper-state-select .react-select__control').click();
      assert.equal(await page.getByText('Publish', { exact: true }).count(), 0);
      await Promise.all([
        answered(page, 'POST', '@workflow/submit'),
        page.getByText('Submit for publication').first().click(),
      ]);
      assert.equal((await api('GET', '/shelf/draft')).review_state, 'pending');
    },
  },
  {
    title: 'A rule is made in the panel of content rules, and found there, also by the filter of its event.',
    async run({ open }) {
      const { page } = await open();
      await openPanel(page, '/controlpanel/rules/add');
      await page.locator('#page-rule-add input[type=text]').first().fill('Tell the editors');
      await page.locator('#page-rule-add .react-select__control').click();
      await page.locator('.react-select__option').nth(1).click();
      const [response] = await Promise.all([
        answered(page, 'POST', '@controlpanels/content-rules'),
        page.locator('#page-rule-add').getByRole('button', { name: 'Save' }).click(),
      ]);
      assert.equal(response.status(), 201);
      const { event } = await response.json();
      await openPanel(page, '/controlpanel/rules');
      await see(page, 'Tell the editors');
      const filter = (label) =>
        page.locator('.ui.checkbox', { has: page.locator(`label:text-is("${label}")`) }).click();
      await filter('User logged in');
      await page.getByText('Tell the editors').waitFor({ state: 'detached' });
      await filter(event);
      await see(page, 'Tell the editors');
      assert.equal(await page.locator('td', { hasText: event }).count(), 1);
    },
  },
];
