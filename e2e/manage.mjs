// Looks at the page for those who run a site in Chromium, as each role: what it asks for, accessibility, keyboard, narrow and wide. Makes
// the pictures of the docs.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import sharp from 'sharp';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { launch, SCREENSHOTS } from './browser.mjs';
import { ADDON_FLOWS } from './manage-addon.mjs';
import { DAY_FLOWS } from './manage-day.mjs';
import { NETWORK_FLOWS } from './manage-network.mjs';
import { SETUP_FLOWS } from './manage-setup.mjs';
import { PEOPLE, startManageSite } from './manage-site.mjs';
import { TRANSLATION_FLOWS } from './manage-translations.mjs';

const PICTURES = join(ROOT, 'docs/pictures');
const WIDE = { width: 1280, height: 820 };
const NARROW = { width: 375, height: 740 };
/** Bytes that a picture of the docs may have. */
const MAX_PICTURE_BYTES = 100_000;

/** Pages that everybody who has logged in can open, and those that need a part of the menu. */
const VIEWS = [
  { name: 'start', path: '/@manage' },
  { name: 'root', path: '/@manage/content' },
  { name: 'folder', path: '/@manage/content?path=/birds' },
  { name: 'page', path: '/@manage/content?path=/walks/along-the-river' },
  { name: 'fields', path: '/@manage/content?path=/walks/along-the-river&tab=edit' },
  // A private object: who may not see it gets there by an address alone.
  { name: 'event', path: '/@manage/content?path=/walks/opening&tab=edit', hiddenFrom: 'marta' },
  { name: 'search', path: '/@manage/content?path=/&deep=1&words=week&sort=modified&order=descending' },
  { name: 'sharing', path: '/@manage/content?path=/walks&tab=sharing' },
  { name: 'history', path: '/@manage/content?path=/walks/along-the-river&tab=history' },
  { name: 'bin', path: '/@manage/bin' },
  { name: 'jobs', path: '/@manage/jobs' },
  { name: 'profile', path: '/@manage/profile' },
  { name: 'proposals', path: '/@manage/proposals' },
  { name: 'security', path: '/@manage/security' },
  { name: 'publishing', path: '/@manage/content?path=/walks/along-the-river&tab=publishing' },
  { name: 'missing page of an add-on', path: '/@manage/addon/nothing-here' },
  ...[
    ...[
      'overview',
      'users',
      'groups',
      'settings',
      'webhooks',
      'audit',
      'tokens',
      'undo',
      'schedule',
      'caches',
      'comments',
    ],
    ...[
      'upgrade',
      'imports',
      'exports',
      'releases',
      'roles',
      'providers',
      'types',
      'workflows',
      'rules',
      'aliases',
      'addons',
    ],
  ].map((needs) => ({ name: needs, path: `/@manage/${needs}`, needs })),
  ...['workflows', 'types', 'rules', 'roles', 'providers', 'schedule'].map((needs) => ({
    name: `new of ${needs}`,
    path: `/@manage/${needs}?new=1`,
    needs,
  })),
  { name: 'role', path: '/@manage/roles/Reviewer', needs: 'roles' },
  { name: 'permissions', path: '/@manage/permissions', needs: 'roles' },
  { name: 'workflow', path: '/@manage/workflows/simple_publication_workflow', needs: 'workflows' },
  { name: 'type', path: '/@manage/types/Page', needs: 'types' },
  { name: 'rule', path: '/@manage/rules/call-the-town', needs: 'rules' },
  { name: 'user', path: '/@manage/users/edith', needs: 'users' },
  { name: 'new user', path: '/@manage/users?new=1', needs: 'users' },
  { name: 'group', path: '/@manage/groups/Reviewers', needs: 'groups' },
  { name: 'panel', path: '/@manage/settings/security', needs: 'settings' },
  { name: 'webhook', path: '/@manage/webhooks?new=1', needs: 'webhooks' },
  { name: 'add', path: '/@manage/add?path=/walks&type=Page' },
  { name: 'preferences', path: '/@manage/preferences' },
  { name: 'missing', path: '/@manage/nothing-here' },
];

/** Opens pages that report errors, and responses that refuse something. */
const opener = (browser, url, problems) => async (options) => {
  const context = await browser.newContext({
    ...{ baseURL: url, locale: 'en-GB', timezoneId: 'UTC', viewport: WIDE },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const note = (problem) => problems.push(`${page.url().slice(url.length)} ${problem}`);
  page.on('pageerror', (error) => note(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      note(`console: ${message.text().slice(0, 300)}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:blob|data):/.test(request.url()))
      note(`asks another address: ${request.url()}`);
  });
  page.on('response', (response) => {
    const address = response.url().slice(url.length);
    if (response.status() >= 400) note(`${response.status()} ${response.request().method()} ${address}`);
  });
  return { context, page };
};

async function logIn(page, { login, password }) {
  await page.goto('/@manage');
  await page.fill('#login', login);
  await page.fill('#password', password);
  await page.press('#password', 'Enter');
  await page.waitForSelector('.side, [role=alert]', { state: 'attached' });
}

/** Waits until nothing loads. */
async function settled(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('.loading, .busy'));
}

async function violationsOf(page) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
}

/** Looks at one page: accessibility, and that it is not wider than the window. */
async function lookAt(page, label, problems) {
  await settled(page);
  for (const violation of await violationsOf(page)) problems.push(`${label}: ${violation}`);
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (tooWide > 0) problems.push(`${label}: ${tooWide} pixels too wide`);
  await page.screenshot({ path: join(SCREENSHOTS, `manage-${label.replaceAll(/\W+/g, '-')}.png`) });
}

/** Looks at every page as one person. */
async function lookAtAll(open, person, { colorScheme, viewport }, problems) {
  const { page, context } = await open({ colorScheme, viewport });
  const label = `${person.login} ${colorScheme} ${viewport.width}`;
  await page.goto('/@manage');
  await lookAt(page, `${label} login`, problems);
  await logIn(page, person);
  const inMenu = new Set(
    await page.locator('.side a').evaluateAll((links) => links.map((link) => new URL(link.href).pathname)),
  );
  for (const { name, path, needs, hiddenFrom } of VIEWS) {
    if (hiddenFrom === person.login || (needs !== undefined && !inMenu.has(`/@manage/${needs}`))) continue;
    await page.goto(path);
    await lookAt(page, `${label} ${name}`, problems);
  }
  await context.close();
}

/** Does the work of an editor with the keyboard alone. */
async function useKeyboard(open) {
  const { page, context } = await open({});
  await logIn(page, PEOPLE[0]);
  await page.goto('/@manage/content?path=/walks');
  await settled(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').textContent(), 'Skip to the content');
  await page.getByRole('button', { name: 'Add content' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Page', exact: true }).waitFor();
  await page.keyboard.type('Pag');
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').first().waitFor();
  await page.getByLabel('Title').first().focus();
  await page.keyboard.type('Over the hills');
  await page.keyboard.press('Enter');
  await page.waitForURL(/over-the-hills/);
  await page.getByRole('heading', { level: 1, name: 'Over the hills' }).waitFor();
  await page.getByRole('button', { name: /^State/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Publish' }).waitFor();
  await page.keyboard.type('Pub');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'State: Published' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('/walks/over-the-hills').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/path=%2Fwalks$/);
  await context.close();
}

/** Changes a field, then another one that somebody else has changed meanwhile: nothing is overwritten, and nothing typed is lost. */
async function useForm(open, api) {
  const { page, context } = await open({});
  await logIn(page, PEOPLE[0]);
  await page.goto('/@manage/content?path=/walks/opening&tab=edit');
  await page.getByLabel('Title').first().fill('The ferry opens again');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await api('GET', '/walks/opening')).title, 'The ferry opens again');
  await page.getByLabel('Title').first().fill('Mine');
  await api('PATCH', '/walks/opening', { title: 'Theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Somebody else has changed this/).waitFor();
  assert.equal((await api('GET', '/walks/opening')).title, 'Theirs');
  assert.equal(await page.getByLabel('Title').first().inputValue(), 'Mine');
  await context.close();
}

/** Sends a file, finds it in the list, deletes it, and brings it back from the bin. */
async function upload(open, api) {
  const { page, context } = await open({});
  await logIn(page, PEOPLE[0]);
  await page.goto('/@manage/content?path=/weather');
  await settled(page);
  await page
    .getByLabel(/^Upload files/)
    .setInputFiles({ name: 'rain.txt', mimeType: 'text/plain', buffer: Buffer.from('It rains.') });
  await page.getByRole('link', { name: 'rain.txt' }).click();
  await page.waitForURL(/rain\.txt/);
  assert.equal((await api('GET', '/weather/rain.txt')).file.size, 9);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/path=%2Fweather$/);
  await page.goto('/@manage/bin');
  await page.getByRole('button', { name: 'Bring back: rain.txt' }).click();
  await page.waitForURL(/rain\.txt/);
  assert.equal((await api('GET', '/weather/rain.txt')).file.size, 9);
  await context.close();
}

/** Loses the connection, sees it, and goes on when it is back. */
async function loseSite(open) {
  const { page, context } = await open({});
  await logIn(page, PEOPLE[0]);
  await settled(page);
  await context.route('**/++api++/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await context.unroute('**/++api++/**');
  await page.getByRole('heading', { level: 1, name: 'Field notes' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.away'));
  await context.close();
}

/** Logs in wrongly, then speaks every language. */
async function useLanguages(open) {
  const { page, context } = await open({ locale: 'de-DE' });
  await page.goto('/@manage');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await logIn(page, { login: 'admin', password: 'wrong' });
  await page.getByRole('alert').waitFor();
  await logIn(page, PEOPLE[0]);
  await page.goto('/@manage/preferences');
  for (const tag of ['es', 'fr', 'it', 'nl', 'pt-br', 'sv', 'de', 'en']) {
    await page.selectOption('#language', tag);
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag);
    await settled(page);
  }
  await context.close();
}

/** Saves what the page shows as a small picture of the docs. */
async function takePicture(page, name) {
  await settled(page);
  mkdirSync(PICTURES, { recursive: true });
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, colours: 96, effort: 10 })
    .toBuffer();
  assert.ok(bytes.length <= MAX_PICTURE_BYTES, `${name}.png has ${bytes.length} bytes`);
  writeFileSync(join(PICTURES, `${name}.png`), bytes);
}

async function takePictures(open) {
  for (const [name, path, options] of [
    ['manage-list', '/@manage/content?path=/birds', {}],
    ['manage-fields', '/@manage/content?path=/walks/along-the-river&tab=edit', {}],
    ['manage-dark', '/@manage/content?path=/walks', { colorScheme: 'dark' }],
    ['manage-overview', '/@manage/overview', {}],
    ['manage-narrow', '/@manage/content?path=/walks', { viewport: NARROW }],
    ['manage-permissions', '/@manage/permissions', {}],
    ['manage-workflow', '/@manage/workflows/simple_publication_workflow', {}],
  ]) {
    const { page, context } = await open(options);
    await logIn(page, PEOPLE[0]);
    await page.goto(path);
    await takePicture(page, name);
    await context.close();
  }
}

/** Opens every page as a visitor: each asks for the login where it is and requests nothing that is refused; who logs in is on that page then. */
async function lookAsVisitor(open, _api, { problems }) {
  const { page, context } = await open({ colorScheme: 'light', viewport: WIDE });
  for (const { name, path } of VIEWS) {
    await page.goto(path);
    await settled(page);
    const hasForm = await page.locator('#password').isVisible();
    if (!hasForm || (await page.locator('.side').count()) > 0) problems.push(`visitor ${name}: no login`);
  }
  await page.goto('/@manage/welcome');
  await lookAt(page, 'visitor welcome', problems);
  const fields = '/@manage/content?path=/walks/along-the-river&tab=edit';
  await page.goto(fields);
  await lookAt(page, 'visitor fields', problems);
  await page.fill('#login', PEOPLE[0].login);
  await page.fill('#password', PEOPLE[0].password);
  await page.press('#password', 'Enter');
  await page.getByRole('heading', { level: 1, name: 'Along the river in three days' }).waitFor();
  if (!page.url().endsWith(fields)) problems.push(`visitor: the login led to ${page.url()}`);
  await context.close();
}

/** The work of people, in order. Refusals belong to the flows that expect them. */
const FLOWS = [
  { title: 'the keyboard alone', run: useKeyboard },
  { title: 'a file sent, deleted, brought back', run: upload },
  { title: 'a field that others change', run: useForm, isRefused: true },
  { title: 'a site that goes away', run: loseSite, isRefused: true },
  { title: 'languages', run: useLanguages, isRefused: true },
  { title: 'every page as a visitor', run: lookAsVisitor },
  ...SETUP_FLOWS,
  ...NETWORK_FLOWS,
  ...ADDON_FLOWS,
  ...DAY_FLOWS,
  { title: 'pictures', run: takePictures },
  // The last: the site has several languages from here on.
  ...TRANSLATION_FLOWS,
];

/** Every page as every person, in light and dark, wide and narrow. */
async function lookAtEverybody(open, problems) {
  const [administrator, ...others] = PEOPLE;
  for (const colorScheme of ['light', 'dark'])
    for (const viewport of [WIDE, NARROW]) await lookAtAll(open, administrator, { colorScheme, viewport }, problems);
  for (const person of others) await lookAtAll(open, person, { colorScheme: 'light', viewport: WIDE }, problems);
}

/** Pictures of the pages that a failed flow has left open. */
async function leaveContexts(browser, title) {
  for (const context of browser.contexts()) {
    for (const page of context.pages())
      await page.screenshot({ path: join(SCREENSHOTS, `failed-${title.replaceAll(/\W+/g, '-')}.png`) });
    await context.close();
  }
}

/** Runs the flows whose titles have one of the texts, all unless some are given. Returns the number of problems, which it prints. */
export async function lookAtManagePage(only) {
  const site = await startManageSite();
  const browser = await launch();
  onEnd(() => browser.close());
  mkdirSync(SCREENSHOTS, { recursive: true });
  const problems = [];
  const isWanted = (title) => only === undefined || only.split(',').some((words) => title.includes(words));
  for (const { title, run, isRefused } of FLOWS.filter((flow) => isWanted(flow.title))) {
    const started = Date.now();
    try {
      const openAt = (url) => opener(browser, url, isRefused ? [] : problems);
      await run(openAt(site.url), site.api, { logIn, settled, openAt, violationsOf, problems });
    } catch (error) {
      problems.push(`${title}: ${error.stack}`);
      await leaveContexts(browser, title);
    }
    console.log(`${title}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  if (isWanted('pages')) await lookAtEverybody(opener(browser, site.url, problems), problems);
  for (const problem of problems) console.log(problem);
  console.log(`${VIEWS.length} pages as ${PEOPLE.length} people and a visitor: ${problems.length} problems`);
  return problems.length;
}
