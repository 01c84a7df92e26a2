import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadProfile, profilesIn } from '../../src/core/configuration/profiles/profile.ts';
import { buildSite } from '../../src/core/configuration/site/build-site.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { registries } from '../support/registries.ts';

const term = (token: string, title = token) => ({ token, title });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-profiles-'));
  await cp(packageFolder('profiles'), folder, { recursive: true });
  await mkdir(join(folder, 'shop', 'vocabularies'), { recursive: true });
  const metadata = { id: 'shop', title: 'Shop', version: '1', extends: 'plone' };
  await writeFile(join(folder, 'shop', 'metadata.json'), JSON.stringify(metadata));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const siteWith = async (vocabulary: unknown) => {
  await writeFile(join(folder, 'shop', 'vocabularies', 'sizes.json'), JSON.stringify(vocabulary));
  return buildSite('1', loadProfile('shop', profilesIn(folder)).rows, registries);
};

test('the files in vocabularies/ of a profile are vocabularies of the site', async () => {
  const sizes = { id: 'sizes', title: 'Sizes', items: [term('s', 'Small'), term('l', 'Large')] };
  expect((await siteWith(sizes)).vocabularies.get('sizes')).toEqual(sizes);
});

test.each([
  [{ id: 'sizes', title: 'Sizes' }, 'vocabularies/sizes.json: must have required properties items'],
  [{ id: 'sizes', items: [{ token: 's' }] }, 'items.0 must have required properties title'],
  [{ id: 'sizes', items: [term('', 'None')] }, 'items.0.token must not have fewer than 1 characters'],
  [{ id: 'sizes', items: [term('s'), term('l'), term('s', 'Small')] }, 'two terms with the token "s"'],
])('a malformed vocabulary is rejected: %j', async (vocabulary, message) => {
  await expect(siteWith(vocabulary)).rejects.toThrow(message);
});
