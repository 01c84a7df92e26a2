import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContent } from '../../src/app/content-operations.ts';
import { setUpSite } from '../../src/app/set-up-site.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { ok } from '../../src/core/services/response.ts';
import { defineService } from '../../src/core/services/service.ts';
import { migrateFeature } from '../../src/database/migrate.ts';
import { Conflict } from '../../src/lib/errors.ts';
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
      {
        name: 'shop.described',
        passes: () => true,
        async refuse(tx, { oids }) {
          const rows = await tx.query<{ oid: number }>({
            text: `select oid from content where oid = any($1::bigint[]) and coalesce(fields->>'description', '') = ''`,
            values: [oids],
          });
          return new Map(rows.map(({ oid }) => [oid, 'It needs a description.']));
        },
      },
    ],
    schedules: [
      {
        id: 'shop-nightly',
        title: 'Every night',
        action: 'reindex',
        params: { type: ['Page'] },
        schedule: '0 3 * * *',
      },
    ],
    services: [
      defineService({
        name: '@buy',
        method: 'GET',
        context: 'site',
        permission: 'Shop: Buy',
        summary: 'Buys.',
        responses: { 200: { description: 'Bought.', schema: Type.Unknown() } },
        run: async () => ok({}),
      }),
    ],
    profile: {
      title: 'Shop',
      version: '1',
      autoInstall: true,
      async installed({ kernel, tx, caller }) {
        const input = { '@type': 'Page', id: 'shop-rules', title: 'Rules of the shop' };
        await createContent({ kernel, tx }, { caller, container: '/', input });
      },
      async uninstalling({ tx }) {
        const [open] = await tx.query({ text: `select from content where name = 'till' and review_state = 'draft'` });
        if (open) throw new Conflict('The till is open.');
      },
      types: [
        {
          id: 'Article',
          title: 'Article',
          behaviors: ['basic', 'folderish'],
          global_allow: true,
          filter_content_types: true,
          allowed_content_types: ['Article'],
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
            pay: { title: 'Pay', new_state: 'paid', guard: { conditions: ['shop.open', 'shop.described'] } },
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

it('a condition refuses in the database: the object with its reason, those below stay behind with all below them', async () => {
  const add = async (path: string, id: string, description: string) => {
    const json = { '@type': 'Article', id, title: id, description };
    expect((await site.request('POST', path, { json })).status).toBe(201);
  };
  await add('/', 'shelf', '');
  await add('/shelf', 'lamp', 'Bright.');
  await add('/shelf/lamp', 'bulb', '');
  await add('/shelf/lamp/bulb', 'wire', 'Thin.');
  const pay = () => site.request('POST', '/shelf/@workflow/pay', { json: { include_children: true } });
  const refused = await pay();
  expect([refused.status, refused.body.message]).toEqual([400, 'It needs a description.']);
  await site.request('PATCH', '/shelf', { json: { description: 'Long.' } });
  expect((await pay()).status).toBe(200);
  const states = ['/shelf', '/shelf/lamp', '/shelf/lamp/bulb', '/shelf/lamp/bulb/wire'].map(
    async (path) => (await site.request('GET', path)).body.review_state,
  );
  expect(await Promise.all(states)).toEqual(['paid', 'paid', 'draft', 'draft']);
});

it('the schedule of a feature is made once, and stays as a Manager changes it', async () => {
  const schedule = () => site.request('GET', '/@scheduled-jobs/shop-nightly');
  expect((await schedule()).body).toMatchObject({ title: 'Every night', enabled: true, schedule: '0 3 * * *' });
  await site.request('PATCH', '/@scheduled-jobs/shop-nightly', { json: { enabled: false } });
  await setUpSite(site.kernel);
  expect((await schedule()).body).toMatchObject({ enabled: false });
});

it('the hooks of a profile run with its installation, which they can undo, and before it is given up', async () => {
  expect((await site.request('GET', '/shop-rules')).body.title).toBe('Rules of the shop');
  await site.request('POST', '/', { json: { '@type': 'Article', id: 'till', title: 'Till' } });
  const uninstall = () => site.request('POST', '/@addons/shop/uninstall');
  const kept = await uninstall();
  expect([kept.status, kept.body.message]).toEqual([409, 'The till is open.']);
  const { body } = await site.request('GET', '/@addons/shop');
  expect(body.is_installed).toBe(true);
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
