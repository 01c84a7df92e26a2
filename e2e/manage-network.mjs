// The page for those who run a site on a bad day: a slow network, and a server that is stopped and started while somebody works.
import assert from 'node:assert/strict';
import { connect } from '../scripts/lib/client.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { PEOPLE } from './manage-site.mjs';

const ADMIN = PEOPLE[0];
/** A telephone at the edge of its network: milliseconds there and back, and bytes in a second. */
const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000 };
/** Milliseconds until somebody who comes for the first time reads the list on such a network; more is a problem. */
const MAX_FIRST_VIEW_MS = 15_000;

/** Works on a slow network: it says that it loads, a change is sent once, and late answers do not replace newer ones. */
async function useSlowNetwork(open, api, { logIn, settled }) {
  const { page, context } = await open({});
  await logIn(page, ADMIN);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW });
  const begun = Date.now();
  await page.goto('/@manage/content?path=/walks', { waitUntil: 'commit' });
  await page.locator('.loading').first().waitFor();
  await page.getByRole('link', { name: 'Along the river in three days' }).first().waitFor();
  const firstView = Date.now() - begun;
  console.log(`  first list of the page on a slow network: ${firstView} ms`);
  assert.ok(firstView < MAX_FIRST_VIEW_MS, `the first list took ${firstView} ms`);
  await settled(page);
  // Two choices, the second before the answer to the first: the list is that of the second.
  await page.getByRole('searchbox').fill('river');
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').fill('maps');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1 || undefined);
  await settled(page);
  // A proposal that an earlier flow approves gives it another title.
  const { title } = await api('GET', '/walks/maps');
  assert.deepEqual(await page.locator('tbody .name').allTextContents(), [title]);
  // Pressed twice, made once.
  await page.goto('/@manage/add?path=/weather&type=Page');
  await page.getByLabel('Title').first().fill('Hail');
  await page.getByRole('button', { name: 'Create' }).dblclick();
  await page.waitForURL(/path=%2Fweather%2Fhail/);
  await settled(page);
  const { items } = await api('GET', '/weather/@search?path.depth=1&portal_type=Page&SearchableText=Hail');
  assert.deepEqual(
    items.map(({ '@id': address }) => new URL(address).pathname),
    ['/weather/hail'],
  );
  await context.close();
}

/** A small site on a server of its own, which can be stopped and started again at the same address. */
async function startOwnServer() {
  const dataDir = await temporaryDataDir();
  const server = await startServer({ dataDir, timeout: 240_000 });
  const { port } = new URL(server.url);
  const admin = await connect(server.url);
  const api = async (method, path, body) => (await admin.send(method, path, body)).body;
  await api('POST', '/', { '@type': 'Page', id: 'log', title: 'Log of the harbour' });
  let running = server;
  return {
    url: server.url,
    api,
    stop: () => running.stop(),
    async start() {
      running = await startServer({ dataDir, port: Number(port), timeout: 240_000 });
    },
  };
}

/** Forms with something typed into each: the address, what is typed, and the input. */
const FORMS = [
  {
    path: '/@manage/content?path=/log&tab=edit',
    input: (page) => page.getByLabel('Title').first(),
    save: 'Save',
    stored: async (api) => (await api('GET', '/log')).title,
  },
  {
    path: '/@manage/add?path=/&type=Page',
    input: (page) => page.getByLabel('Title').first(),
    save: 'Create',
    stored: async (api) => (await api('GET', '/typed-while-the-site-was-away')).title,
  },
  {
    path: '/@manage/settings/site',
    input: (page) => page.getByLabel('Site title'),
    save: 'Save',
    stored: async (api) => (await api('GET', '/@controlpanels/site')).data.site_title,
  },
  {
    path: '/@manage/workflows/simple_publication_workflow',
    input: (page) => page.locator('.panel').filter({ hasText: 'States' }).getByLabel('Title', { exact: true }).first(),
    save: 'Save',
    isOpened: true,
    stored: async (api) =>
      Object.values((await api('GET', '/@workflows/simple_publication_workflow')).states)
        .map(({ title }) => title)
        .find((title) => title === TYPED),
  },
  {
    path: '/@manage/profile',
    input: (page) => page.getByLabel('Full name').first(),
    save: 'Save',
    stored: async (api) => (await api('GET', '/@users/admin')).fullname,
  },
];
const TYPED = 'Typed while the site was away';

/** The server is stopped while forms are filled in and one is sent, and started again: nothing typed is lost, and it is saved then. */
async function loseServer(_open, _api, { logIn, settled, openAt }) {
  const own = await startOwnServer();
  const open = openAt(own.url);
  const { page: first, context } = await open({});
  await logIn(first, ADMIN);
  const pages = [];
  for (const form of FORMS) {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(form.path);
    await settled(page);
    if (form.isOpened) await page.locator('details').first().locator('summary').click();
    pages.push({ page, form });
  }
  await own.stop();
  for (const { page, form } of pages) await form.input(page).fill(TYPED);
  // Each is sent while nobody answers: the page says so, and keeps what was typed.
  for (const { page, form } of pages) {
    await page.getByRole('button', { name: form.save, exact: true }).last().click();
    await page.locator('.away').waitFor();
    assert.equal(await form.input(page).inputValue(), TYPED, form.path);
  }
  await own.start();
  for (const { page, form } of pages) {
    await page.waitForFunction(() => !document.querySelector('.away'));
    await settled(page);
    assert.equal(await form.input(page).inputValue(), TYPED, form.path);
    await page.getByRole('button', { name: form.save, exact: true }).last().click();
    // Made, or saved.
    await page.waitForFunction(
      () => /path=%2Ftyped/.test(location.search) || document.querySelector('.notice.good') !== null,
    );
    assert.equal(await form.stored(own.api), TYPED, form.path);
  }
  await context.close();
  await own.stop();
}

/** Somebody else changes what is being written while the server was away: what was typed stays, and the form says what it would replace. */
async function meetOthers(_open, _api, { logIn, settled, openAt }) {
  const own = await startOwnServer();
  const { page, context } = await openAt(own.url)({});
  page.setDefaultTimeout(60_000);
  await logIn(page, ADMIN);
  await page.goto('/@manage/content?path=/log&tab=edit');
  await settled(page);
  await page.getByLabel('Title').first().fill('Mine');
  await own.stop();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The site cannot be reached.').first().waitFor();
  await own.start();
  await own.api('PATCH', '/log', { title: 'Theirs', description: 'By another hand.' });
  await page.waitForFunction(() => !document.querySelector('.away'));
  await page.getByText('Somebody else has changed this meanwhile, and saving replaces it: Title').waitFor();
  assert.equal(await page.getByLabel('Title').first().inputValue(), 'Mine');
  assert.equal(await page.getByLabel('Summary').first().inputValue(), 'By another hand.');
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  assert.equal(await page.getByLabel('Title').first().inputValue(), 'Theirs');
  await context.close();
  await own.stop();
}

export const NETWORK_FLOWS = [
  { title: 'a slow network', run: useSlowNetwork },
  { title: 'a server stopped while forms are filled in', run: loseServer, isRefused: true },
  { title: 'a server stopped while others write', run: meetOthers, isRefused: true },
];
