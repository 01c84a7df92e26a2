// The day of an owner of a site in a browser alone, from the link that the first start prints to the backup in the evening.
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { clientOf } from '../scripts/lib/client.mjs';
import { spendDayByCurl } from './curl-day.mjs';
import { codeOf, PASSWORD, startOwnSite } from './own-site.mjs';

/** The steps of the day: each gets the page, and what those before it have found. */
const STEPS = [
  [
    'choose the password',
    async ({ page, day }) => {
      await page.goto(day.link);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button').first().click();
      await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    },
  ],
  [
    'a site from an export',
    async ({ page, api, day }) => {
      await page.getByRole('link', { name: 'Import an export' }).click();
      await page.getByLabel('File of the export').setInputFiles(day.archive);
      await page.waitForURL(/imports\/[0-9a-f-]{36}/);
      await page.getByRole('button', { name: 'What would change' }).click();
      await page.getByText('Nothing was changed yet').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The export is imported.').waitFor();
      assert.equal((await api('GET', '/news/the-ferry')).title, 'The ferry opens');
    },
  ],
  [
    'two reviewers and their groups',
    async ({ page }) => {
      for (const [short, title] of [
        ['editors-in-chief', 'Editors in chief'],
        ['lawyers', 'Lawyers'],
      ]) {
        await page.goto('/@manage/groups?new=1');
        await page.getByLabel('Short name').fill(short);
        await page.getByLabel('Title').fill(title);
        await page.getByRole('button', { name: 'Create' }).click();
        await page.waitForURL(new RegExp(`groups/${short}`));
      }
    },
  ],
  [
    'a new role',
    async ({ page }) => {
      await page.goto('/@manage/roles?new=1');
      await page.getByLabel('Title').fill('Translator');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('checkbox', { name: 'Manage translations: Translator' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
    },
  ],
  [
    'a workflow with two reviewers',
    async ({ page, api }) => {
      await page.goto('/@manage/workflows?new=1');
      await page.getByLabel('Short name').fill('two_reviewers');
      await page.getByLabel('Title').fill('Two reviewers');
      await page.getByLabel('Begins as a copy of').selectOption('simple_publication_workflow');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/workflows\/two_reviewers/);
      await page.getByLabel('Title of a new state').fill('With the lawyers');
      await page.getByRole('button', { name: 'Add a state' }).click();
      await page.getByLabel('Title of a new transition').fill('Pass on');
      await page.getByRole('button', { name: 'Add a transition' }).click();
      await page.getByRole('heading', { name: 'Pass on', exact: true }).click();
      const passOn = page.locator('details[open]').last();
      await passOn.getByRole('checkbox', { name: 'Pending review' }).check();
      await passOn.getByLabel('Leads to').selectOption('with_the_lawyers');
      await passOn.getByLabel('Only for members of one of these groups').fill('editors-in-chief');
      await page.getByRole('heading', { name: 'Pass on', exact: true }).click();
      await page.getByRole('heading', { name: 'Publish', exact: true }).click();
      const publish = page.locator('details[open]').last();
      await publish.getByRole('checkbox', { name: 'Pending review' }).uncheck();
      await publish.getByRole('checkbox', { name: 'Private' }).uncheck();
      await publish.getByRole('checkbox', { name: 'With the lawyers' }).check();
      await publish.getByLabel('Only for members of one of these groups').fill('lawyers');
      await page.getByRole('button', { name: 'What would change' }).click();
      await page.getByText('Nothing was changed yet').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.goto('/@manage/workflows');
      await page.getByLabel('Workflow of News Item').selectOption('two_reviewers');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      const { states, transitions } = await api('GET', '/@workflows/two_reviewers');
      assert.deepEqual(states.with_the_lawyers.transitions, ['publish']);
      assert.deepEqual(transitions.publish.guard.groups, ['lawyers']);
      assert.equal((await api('GET', '/@workflow-types'))['News Item'].workflow, 'two_reviewers');
    },
  ],
  [
    'a rule with a webhook',
    async ({ page, api }) => {
      await page.goto('/@manage/rules?new=1');
      await page.getByLabel('Title').fill('Tell the town');
      await page.getByLabel('When').selectOption('onAfterPublish');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/rules\/tell-the-town/);
      await page.getByLabel('Add an action').selectOption('webhook');
      await page.getByLabel('Address').fill('https://town.example.org/changed');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Send POST to https://town.example.org/changed').waitFor();
      await page.getByLabel('Path of a folder').fill('/news');
      await page.getByRole('button', { name: 'Give the folder the rule' }).click();
      await page.getByRole('link', { name: '/news' }).waitFor();
      assert.ok((await api('GET', '/@controlpanels/content-rules/tell-the-town')).assigned);
    },
  ],
  [
    'a token for a part of the site',
    async ({ page, api }) => {
      await page.goto('/@manage/tokens');
      await page.getByLabel('What it is for').fill('The screen in the hall');
      await page.getByLabel('GET', { exact: true }).check();
      await page.getByLabel('Only below these paths').fill('/news');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('This is the token.').waitFor();
      assert.equal((await api('GET', '/@access-tokens')).items[0].name, 'The screen in the hall');
    },
  ],
  [
    'a page found by search, published, undone',
    async ({ page, api }) => {
      await page.goto('/@manage/content?path=/&deep=1&words=about');
      await page.getByRole('link', { name: 'About us' }).first().click();
      await page.getByRole('button', { name: /^State/ }).click();
      await page.getByRole('menuitem', { name: 'Publish' }).click();
      await page.getByRole('button', { name: 'State: Published' }).waitFor();
      await page.goto('/@manage/undo');
      await page
        .getByRole('button', { name: /^Undo: \/about-us Workflow/ })
        .first()
        .click();
      await page.getByText('It is undone.').waitFor();
      assert.equal((await api('GET', '/about-us')).review_state, 'private');
    },
  ],
  [
    'a backup that fails, repaired',
    async ({ page, day }) => {
      await page.goto('/@manage/schedule');
      const start = page.getByRole('button', { name: /^Start now/ });
      const title = (await start.getAttribute('aria-label')).replace('Start now: ', '');
      await start.click();
      await page.getByText(/^Started/).waitFor();
      const rows = page.getByRole('row').filter({ hasText: title });
      const shown = async (text) => {
        for (let turn = 0; turn < 60; turn++) {
          await page.goto('/@manage/jobs');
          await rows.first().waitFor();
          if ((await rows.filter({ hasText: text }).count()) > 0) return;
          await page.waitForTimeout(1000);
        }
        throw new Error(`The job is not ${text}: ${await rows.allTextContents()}`);
      };
      await shown('Failed');
      await rm(day.backups);
      await rows.getByRole('button', { name: 'Do it again' }).first().click();
      await shown('Done');
      assert.ok((await readdir(day.backups)).includes('backups'));
    },
  ],
  [
    'an upgrade that waits',
    async ({ page, api, day }) => {
      await page.goto('about:blank');
      await day.installNext();
      await page.goto('/@manage/upgrade');
      await page.getByRole('heading', { name: 'An upgrade waits.' }).waitFor();
      await page.getByRole('button', { name: 'What would change' }).click();
      await page.getByText('Nothing was changed yet').waitFor();
      await page.getByRole('button', { name: 'Upgrade', exact: true }).click();
      await page.getByRole('heading', { name: 'No upgrade waits.' }).waitFor();
      const { versions } = await api('GET', '/@upgrade');
      assert.equal(versions.instance, versions.fs);
    },
  ],
  [
    'a second factor',
    async ({ page, api }) => {
      await page.goto('/@manage/security');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Set up a second factor' }).click();
      const secret = await page.locator('form code').textContent();
      await page.getByLabel('Code of the app').fill(codeOf(secret));
      await page.getByRole('button', { name: 'Switch it on' }).click();
      await page.getByText('Recovery codes left: 10').waitFor();
      assert.equal((await api('GET', '/@totp')).enabled, true);
    },
  ],
];

/** Has the whole day, and prints how long each part takes. */
async function haveADay(_, __, { openAt }) {
  const day = await startOwnSite();
  const { page, context } = await openAt(day.url)({});
  const api = async (method, path) => {
    const token = (await context.cookies()).find(({ name }) => name === 'auth_token')?.value;
    return (await clientOf(day.url, { Authorization: `Bearer ${token}` }).send(method, path)).body;
  };
  const started = Date.now();
  for (const [title, work] of STEPS) {
    const before = Date.now();
    await work({ page, api, day });
    console.log(`  ${title}: ${((Date.now() - before) / 1000).toFixed(1)} s`);
  }
  console.log(`  the day of an owner: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  await context.close();
  await day.end();
}

/** Uses the page behind a line on which each response takes half a second: it shows that it loads, and nothing is done twice. */
async function useSlowNetwork(open, api, { logIn, settled }) {
  const { page, context } = await open({});
  await logIn(page, { login: 'admin', password: 'admin' });
  await settled(page);
  await context.route('**/++api++/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto('/@manage/add?path=/weather&type=Page');
  await page.getByRole('status').first().waitFor();
  await page.getByLabel('Title').first().fill('Slow rain');
  const create = page.getByRole('button', { name: 'Create' });
  await create.click();
  assert.ok(await create.isDisabled(), 'The button can be pressed twice');
  await page.waitForURL(/slow-rain/);
  await page.getByRole('heading', { level: 1, name: 'Slow rain' }).waitFor();
  const found = await api('GET', '/@search?path=/weather&portal_type=Page');
  assert.equal(found.items.filter(({ title }) => title === 'Slow rain').length, 1);
  await context.close();
}

export const DAY_FLOWS = [
  { title: 'the day of an owner', run: haveADay },
  { title: 'the same day by curl', run: spendDayByCurl },
  { title: 'a slow network', run: useSlowNetwork },
];
