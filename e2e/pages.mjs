// Looks at the pages for browsers in Chromium: accessibility, keyboard, narrow and wide, without scripts. Makes the pictures of the docs.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import sharp from 'sharp';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { launch } from './browser.mjs';
import { startPagesSite } from './pages-site.mjs';

const PICTURES = join(ROOT, 'docs/pictures');
const WIDE = { width: 1200, height: 800 };
const NARROW = { width: 360, height: 740 };
/** Bytes that a picture of the docs may have. */
const MAX_PICTURE_BYTES = 100_000;

/** Every kind of page: its path, its status, and whether somebody is logged in. */
const KINDS = [
  { name: 'home', path: '/' },
  { name: 'content', path: '/walks/along-the-river' },
  { name: 'picture', path: '/walks/evening' },
  { name: 'list', path: '/birds', user: true },
  { name: 'search', path: '/@search?SearchableText=walks' },
  { name: 'search form', path: '/@search' },
  { name: 'history', path: '/walks/along-the-river/@history', user: true },
  { name: 'json', path: '/walks/along-the-river?view=json', user: true },
  { name: 'api json', path: '/@site' },
  { name: 'login', path: '/@login' },
  { name: 'private', path: '/drafts', status: 401 },
  { name: 'forbidden', path: '/@users', status: 401 },
  { name: 'missing', path: '/nothing-here', status: 404 },
  { name: 'docs', path: '/@docs', user: true },
];

/** Saves what the page shows as a small picture of the docs. */
async function takePicture(page, name) {
  mkdirSync(PICTURES, { recursive: true });
  const shot = await page.screenshot();
  const bytes = await sharp(shot).png({ palette: true, colours: 96, effort: 10 }).toBuffer();
  assert.ok(bytes.length <= MAX_PICTURE_BYTES, `${name}.png has ${bytes.length} bytes`);
  await sharp(bytes).toFile(join(PICTURES, `${name}.png`));
}

/** Opens contexts whose pages report errors, and messages about what the policy of the page has stopped. */
function opener(browser, url, problems) {
  return async (options) => {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      viewport: WIDE,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        problems.push(`console: ${message.text().slice(0, 300)}`);
    });
    return { context, page };
  };
}

async function logIn(page) {
  await page.goto('/@login');
  await page.fill('main [name=login]', 'admin');
  await page.fill('main [name=password]', 'admin');
  await page.press('main [name=password]', 'Enter');
  await page.waitForSelector('.account button');
}

/** The violations of a page by their rules. Swagger UI itself is another program. */
async function violationsOf(page) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).exclude('#api').analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Looks at every kind of page in one colour scheme and one width. */
async function lookAtAll(open, { colorScheme, viewport, label }, problems) {
  const visitor = await open({ colorScheme, viewport });
  const user = await open({ colorScheme, viewport });
  await logIn(user.page);
  for (const { name, path, status = 200, user: loggedIn = false } of KINDS) {
    const { page } = loggedIn ? user : visitor;
    const response = await page.goto(path, { waitUntil: 'load' });
    if (response.status() !== status) problems.push(`${label} ${name}: status ${response.status()}`);
    if (name === 'docs') await page.waitForSelector('#api .opblock-tag');
    for (const violation of await violationsOf(page)) problems.push(`${label} ${name}: ${violation}`);
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (tooWide > 0 && name !== 'docs') problems.push(`${label} ${name}: ${tooWide} pixels too wide`);
  }
  await visitor.context.close();
  await user.context.close();
}

/** Uses the site with the keyboard alone, without scripts. */
async function useKeyboard(open) {
  const { page, context } = await open({ javaScriptEnabled: false });
  await page.goto('/');
  const focused = () => page.locator(':focus');
  await page.keyboard.press('Tab');
  assert.equal(await focused().textContent(), 'Skip to the content');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('river');
  await page.keyboard.press('Enter');
  await page.waitForURL(/@search/);
  await page.getByRole('link', { name: 'Along the river in three days' }).press('Enter');
  await page.waitForURL(/along-the-river$/);
  await page.goto('/drafts');
  assert.equal(await page.getByText('Plans for spring').count(), 0);
  await page.fill('main [name=login]', 'admin');
  await page.fill('main [name=password]', 'wrong');
  await page.press('main [name=password]', 'Enter');
  await page.getByRole('alert').waitFor();
  await page.fill('main [name=password]', 'admin');
  await page.press('main [name=password]', 'Enter');
  await page.getByRole('heading', { name: 'Plans for spring' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).press('Enter');
  await page.getByRole('heading', { name: 'Log in to see this' }).waitFor();
  await context.close();
}

/** Tries a request in the API description, in the name of the user. */
async function tryRequest(open) {
  const { page, context } = await open({});
  await logIn(page);
  // Swagger UI opens the operation that the address names.
  const description = await (await page.request.get('/++api++/@openapi')).json();
  const { get } = Object.entries(description.paths).find(([path]) => path.endsWith('/@actions'))[1];
  await page.goto(`/@docs#/${get.tags[0]}/${get.operationId}`);
  const execute = page.locator('#api .opblock.is-open .btn.execute');
  await execute.waitFor();
  for (const input of await page.locator('#api .opblock.is-open tr[data-param-in=path] input').all())
    await input.fill('walks');
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes('@actions')),
    execute.click(),
  ]);
  assert.equal(response.status(), 200);
  assert.match(await response.text(), /logout/);
  await context.close();
}

async function takePictures(open) {
  for (const colorScheme of ['light', 'dark']) {
    const { page, context } = await open({ colorScheme });
    await page.goto('/walks/along-the-river');
    await takePicture(page, `page-${colorScheme}`);
    await page.goto('/walks/evening');
    if (colorScheme === 'light') await takePicture(page, 'page-picture');
    await context.close();
  }
  const narrow = await open({ viewport: NARROW });
  await narrow.page.goto('/');
  await takePicture(narrow.page, 'page-narrow');
  await narrow.context.close();
  const { page, context } = await open({});
  await logIn(page);
  await page.goto('/walks/along-the-river?view=json');
  await takePicture(page, 'page-json');
  await page.goto('/@docs');
  await page.waitForSelector('#api .opblock-tag');
  await takePicture(page, 'page-docs');
  await context.close();
}

/** Runs everything. Returns the number of problems, which it prints. */
export async function lookAtPages() {
  const { url } = await startPagesSite();
  const browser = await launch();
  onEnd(() => browser.close());
  const problems = [];
  const open = opener(browser, url, problems);
  for (const colorScheme of ['light', 'dark'])
    for (const viewport of [WIDE, NARROW])
      await lookAtAll(open, { colorScheme, viewport, label: `${colorScheme} ${viewport.width}` }, problems);
  for (const problem of problems) console.log(problem);
  await useKeyboard(open);
  await takePictures(open);
  await tryRequest(open);
  console.log(`${KINDS.length} kinds of pages, light and dark, wide and narrow: ${problems.length} problems`);
  return problems.length;
}
