import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpSite } from '../../src/app/set-up-site.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { defineService, ok } from '../../src/core/services/service.ts';
import { migrateFeature } from '../../src/database/migrate.ts';
import { quickestEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const STATES = {
  draft: { title: 'Draft', transitions: ['pay', 'steal'], permissions: {} },
  paid: { title: 'Paid', transitions: [], permissions: {} },
};

let folder: string;
let site: TestSite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-migrations-'));
  await writeFile(join(folder, '0001_shelf.sql'), 'create table shelf (id integer);');
  const shop = defineFeature({
    name: 'shop',
    migrations: folder,
    permissions: { 'Shop: Buy': ['Manager'] },
    guardConditions: [
      { name: 'shop.open', passes: () => true },
      { name: 'shop.closed', passes: () => false },
    ],
    services: [
      defineService({
        name: '@buy',
        method: 'GET',
        context: 'site',
        permission: 'Shop: Buy',
        summary: 'Buys.',
        responses: { 200: { description: 'Bought.' } },
        run: async () => ok({}),
      }),
    ],
    profile: {
      title: 'Shop',
      version: '1',
      autoInstall: true,
      types: [
        {
          id: 'Article',
          title: 'Article',
          behaviors: ['basic'],
          global_allow: true,
          filter_content_types: true,
          allowed_content_types: [],
          workflow: 'shop_workflow',
          layouts: ['view'],
        },
      ],
      workflows: [
        {
          id: 'shop_workflow',
          title: 'Shop',
          initial_state: 'draft',
          states: STATES,
          transitions: {
            pay: { title: 'Pay', new_state: 'paid', guard: { conditions: ['shop.open'] } },
            steal: { title: 'Steal', new_state: 'paid', guard: { conditions: ['shop.open', 'shop.closed'] } },
          },
        },
      ],
    },
  });
  site = await startTestSite(quickestEngine(), { features: [shop] });
});
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

it('the profile of a feature with autoInstall is installed, and its transitions ask the conditions that it brings', async () => {
  const addons = await site.request('GET', '/@addons/shop');
  expect(addons.body).toMatchObject({ id: 'shop', title: 'Shop', version: '1', is_installed: true });
  const made = await site.request('POST', '/', { json: { '@type': 'Article', title: 'Lamp' } });
  expect(made.status).toBe(201);
  const { body } = await site.request('GET', `${made.body['@id']}/@workflow`);
  expect(body.transitions.map(({ title }: { title: string }) => title)).toEqual(['Pay']);
});

it('only the declared roles have a permission of a feature', async () => {
  expect((await site.request('GET', '/@buy')).status).toBe(200);
  expect((await site.request('GET', '/@buy', { as: 'anonymous' })).status).toBe(401);
});

it('migrations of a feature run once, and a changed file is refused', async () => {
  const { db } = site.kernel;
  const rows = () => db.query({ text: 'select feature, id, name from feature_migration' });
  expect(await rows()).toEqual([{ feature: 'shop', id: 1, name: 'shelf' }]);
  await setUpSite(site.kernel);
  expect(await rows()).toHaveLength(1);
  await writeFile(join(folder, '0001_shelf.sql'), 'create table shelf (id bigint);');
  await expect(migrateFeature(db, 'shop', folder)).rejects.toThrow('0001_shelf of the feature "shop" was changed');
});
