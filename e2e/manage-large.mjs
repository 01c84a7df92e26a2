// Times of the page for those who run a site with a folder of 100,000 children, on PostgreSQL.
import assert from 'node:assert/strict';
import { seedLargeSite } from '../bench/large-site.mjs';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { postgresServer } from '../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { launch } from './browser.mjs';

const CHILDREN = 100_000;
const DOCUMENTS = 101_000;
/** Milliseconds from what somebody does until the page shows it, on a machine that does other work as well. */
const MAX_STEP_MS = 5000;
/** Milliseconds after which the browser has reported the responses that the page shows. */
const REPORT_MS = 100;
/** Milliseconds from which a request is named. */
const SLOW_REQUEST_MS = 300;
/** Rows that a list may have in the page, and folders that one level of the tree may have. */
const MAX_ROWS = 50;
const MAX_TWIGS = 100;
/** Bytes that one step may load. */
const MAX_STEP_BYTES = 300_000;

/** Waits until nothing loads and the list is there. */
const shown = (page) =>
  page.waitForFunction(
    () => !document.querySelector('.loading, .busy') && document.querySelector('tbody tr, .empty') !== null,
  );

const pathOf = (url) => {
  const { pathname, search } = new URL(url);
  return decodeURIComponent(pathname + search).slice(0, 160);
};

/** Adds up times and bytes of the responses of the API, and reports those that refuse something. */
function watchRequests(page, problems) {
  const seen = { bytes: 0, slowest: { ms: 0, url: '' } };
  const waiting = new Set();
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  const add = async (request) => {
    const ms = Math.round(request.timing().responseEnd);
    if (ms > seen.slowest.ms) seen.slowest = { ms, url: request.url() };
    seen.bytes += (await request.sizes()).responseBodySize;
  };
  page.on('requestfinished', (request) => {
    if (request.url().includes('/++api++/')) waiting.add(add(request).catch((error) => problems.push(error.message)));
  });
  return {
    /** Returns what came since the last call. */
    async take() {
      // The page shows a response before the browser reports its end.
      await page.waitForTimeout(REPORT_MS);
      await Promise.all(waiting);
      const taken = { ...seen };
      waiting.clear();
      Object.assign(seen, { bytes: 0, slowest: { ms: 0, url: '' } });
      return taken;
    },
  };
}

/** Does one step after the other, and prints the milliseconds of each from what is pressed until the list is there. */
function stepper(page, problems) {
  const requests = watchRequests(page, problems);
  return async (title, act, done = () => shown(page)) => {
    await requests.take();
    const begun = performance.now();
    await act();
    await done();
    const ms = Math.round(performance.now() - begun);
    const { bytes, slowest } = await requests.take();
    const rows = await page.locator('tbody tr').count();
    const levels = await page.locator('.tree ul').evaluateAll((lists) => lists.map((list) => list.children.length));
    console.log(`${title}: ${ms} ms, ${Math.round(bytes / 1000)} kB, ${rows} rows`);
    if (slowest.ms > SLOW_REQUEST_MS) console.log(`  ${slowest.ms} ms: ${pathOf(slowest.url)}`);
    if (ms > MAX_STEP_MS) problems.push(`${title} took ${ms} ms`);
    if (rows > MAX_ROWS) problems.push(`${title}: ${rows} rows`);
    if (levels.some((twigs) => twigs > MAX_TWIGS + 1)) problems.push(`${title}: ${levels} folders in the tree`);
    if (bytes > MAX_STEP_BYTES) problems.push(`${title} loaded ${bytes} bytes`);
  };
}

/** Turns pages and sorts, as somebody does who looks for something in the folder. */
async function readList(page, step) {
  const title = (n) => page.locator('tbody tr').nth(n).locator('.name').textContent();
  const button = (name) => page.getByRole('button', { name, exact: true });
  await step('first view of the folder', () => page.goto('/@manage/content?path=/many'));
  assert.match((await title(0)) ?? '', /Child 1$/);
  await page.getByText('1 to 50 of 100,000').waitFor();
  await step('the same once more', () => page.reload());
  await step('next page', async () => {
    await button('Next').click();
    await page.getByText('51 to 100 of 100,000').waitFor();
  });
  await step('last page', async () => {
    await button('Last').click();
    await page.getByText('99,951 to 100,000 of 100,000').waitFor();
  });
  assert.match((await title(49)) ?? '', /Child 100000$/);
  await step('sorted by title', async () => {
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await page.getByText('1 to 50 of 100,000').waitFor();
  });
  const byTime = page.getByRole('columnheader', { name: 'Changed' }).getByRole('button');
  await step('sorted by time', async () => {
    await byTime.click();
    await page.waitForURL(/sort=modified/);
  });
  await step('the newest first', async () => {
    await byTime.click();
    await page.waitForURL(/order=descending/);
  });
}

/** Filters, searches, and tries a change of all that was found. */
async function searchList(page, step) {
  const words = page.getByRole('searchbox');
  await step('filtered by type', async () => {
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Page');
    await page.waitForURL(/type=Page/);
  });
  await step('words that few have', async () => {
    await words.fill('995');
    await page.keyboard.press('Enter');
    await page.getByText(/1 to 50 of 111$/).waitFor();
  });
  await step('selected: the 50 of the page', () => page.getByRole('checkbox', { name: /all/i }).first().check());
  await page.getByRole('button', { name: 'Change the selected ones: 50' }).waitFor();
  await step('dry run of tags for all 111', async () => {
    await page.getByRole('button', { name: 'Change all that were found: 111' }).click();
    await page.getByLabel('Tags, with commas between').fill('harvest');
    await page.getByRole('dialog').getByRole('button', { name: 'What would change' }).click();
    await page.getByText('Nothing was changed yet').waitFor();
  });
  assert.match((await page.getByRole('dialog').textContent()) ?? '', /Changed: 111\./);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await step('words that all have', async () => {
    await words.fill('child');
    await page.keyboard.press('Enter');
    await page.waitForURL(/words=child/);
  });
  assert.equal(await page.getByRole('button', { name: /^Change all that were found/ }).count(), 0);
  await page.getByText('No more than 1,000 can be changed at once').waitFor();
  await step('words that 11,112 have', async () => {
    await words.fill('9');
    await page.keyboard.press('Enter');
    await page.waitForURL(/words=9/);
  });
}

/** Opens what is beside the list: the whole site, one object, the start page. */
async function lookAround(page, step) {
  await step('whole site, newest first, with the tree', () =>
    page.goto('/@manage/content?path=/&deep=1&sort=modified&order=descending'),
  );
  await step(
    'fields of one child',
    () => page.goto('/@manage/content?path=/many/child-77777&tab=edit'),
    () => page.waitForFunction(() => document.querySelector('#field-title')?.value === 'Child 77777'),
  );
  await step(
    'start page',
    () => page.goto('/@manage'),
    () => page.getByRole('heading', { level: 1 }).waitFor(),
  );
}

/** Makes the site and goes through it as an administrator does. Returns the number of problems, which it prints. */
export async function lookAtLargeSite() {
  const databaseUrl = await (await postgresServer()).createDatabase();
  await seedLargeSite(databaseUrl, {
    ...{ documents: DOCUMENTS, children: CHILDREN },
    progress: (text) => console.log(`  ${text}`),
  });
  const { url } = await startServer({ dataDir: await temporaryDataDir(), databaseUrl, timeout: 240_000 });
  const browser = await launch();
  onEnd(() => browser.close());
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', viewport: { width: 1280, height: 820 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto('/@manage');
  await page.fill('#login', 'admin');
  await page.fill('#password', 'admin');
  await page.press('#password', 'Enter');
  await page.locator('.side').waitFor({ state: 'attached' });
  const problems = [];
  const step = stepper(page, problems);
  for (const part of [readList, searchList, lookAround])
    await part(page, step).catch((error) => problems.push(`${part.name}: ${error.stack}`));
  for (const problem of problems) console.log(problem);
  console.log(`a folder of ${CHILDREN} children: ${problems.length} problems`);
  return problems.length;
}
