// What an add-on brings to the page for those who run a site: its panel, its kind of field, its rules by themselves, and a page of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../scripts/lib/client.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { PEOPLE } from './manage-site.mjs';

/** Starts a server with the example add-on, built as its own `npm run build` does. */
async function startWithAddon() {
  const folder = await temporaryDataDir();
  const source = join(ROOT, 'examples/addon');
  for (const name of ['package.json', 'tsconfig.json', 'src', 'manage', 'messages', 'migrations', 'profile'])
    cpSync(join(source, name), join(folder, 'addon', name), { recursive: true });
  cpSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'addon/node_modules/@types/node'), { recursive: true });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noCheck', '-p', join(folder, 'addon')]);
  writeFileSync(join(folder, 'canopy.config.mjs'), `export default { features: ['./addon'] };\n`);
  const server = await startServer({
    ...{ dataDir: await temporaryDataDir(), timeout: 240_000 },
    env: { CANOPY_CONFIG: join(folder, 'canopy.config.mjs') },
  });
  const admin = await connect(server.url);
  const api = async (method, path, body) => (await admin.send(method, path, body)).body;
  return { server, url: server.url, api };
}

/** Uses everything of the add-on in the browser, as an administrator, and looks for its page as somebody who may not open it. */
async function useAddon(_open, _api, { logIn, settled, openAt, violationsOf }) {
  const { url, api, server } = await startWithAddon();
  await api('POST', '/@users', {
    ...{ username: 'marta', password: 'a-long-password', email: 'marta@example.org', roles: ['Member'] },
    sendPasswordReset: false,
  });
  const open = openAt(url);
  const { page, context } = await open({});
  await logIn(page, PEOPLE[0]);
  // The kind of field is in the form of the type.
  await page.goto('/@manage/add?path=/&type=Example');
  await page.getByLabel('Title').first().fill('Tie a knot');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/tie-a-knot/);
  await page.getByLabel('Effort').first().waitFor();
  // The panel is in the settings, and its form saves.
  await page.goto('/@manage/settings');
  await page.getByRole('link', { name: 'Ratings', exact: true }).click();
  await page.getByLabel(/stars/i).first().fill('4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await api('GET', '/@controlpanels/example')).data.max_stars, 4);
  // The page of its own is in the menu, and does its work.
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Stars' }).click();
  await page.waitForURL(/@manage\/addon\/example-ratings/);
  await page.getByRole('heading', { level: 1, name: 'Stars' }).waitFor();
  await page.getByRole('button', { name: 'Give 3 stars to Tie a knot' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Tie a knot: 3 (1)').waitFor();
  assert.equal((await api('GET', '/tie-a-knot/@example-rating')).average, 3);
  await settled(page);
  assert.deepEqual(await violationsOf(page), []);
  // It goes with its page, and comes in the language of the reader.
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByText('Instructions and their stars.').waitFor({ state: 'detached' });
  await api('PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'] });
  await page.goto('/@manage/preferences');
  await page.selectOption('#language', 'de');
  await page.getByRole('link', { name: 'Sterne', exact: true }).click();
  await page.getByText('Anleitungen und ihre Sterne.').waitFor();
  await context.close();
  await api('PATCH', '/@permissions', { 'Example: Rate content': ['Manager'] });
  const member = await open({});
  await logIn(member.page, { login: 'marta', password: 'a-long-password' });
  await settled(member.page);
  assert.equal(await member.page.getByRole('link', { name: 'Stars' }).count(), 0);
  await member.page.goto('/@manage/addon/example-ratings');
  await member.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await member.context.close();
  await server.stop();
}

export const ADDON_FLOWS = [{ title: 'an add-on with a page of its own', run: useAddon }];
