import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definePanel } from '../../src/core/configuration/panels/panel.ts';
import { flag } from '../../src/core/configuration/panels/setting-forms.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { typeFile } from './addon-files.ts';

const MIGRATION = `
  create table shop_order (id integer primary key);
  create table if not exists shop_line (shop_order integer references shop_order (id));
  create view shop_open as select id from shop_order;
  insert into shop_order values (1), (2);
  insert into shop_line values (1);`;

const panel = definePanel({
  id: 'shop',
  title: 'Shop',
  group: 'Content',
  settings: [
    flag('is_open', { title: 'Open', description: 'Whether it sells.', default: false, record: 'shop.is_open' }),
  ],
});

describeEachEngine('what an add-on leaves', (engine) => {
  let folder: string;
  let site: TestSite;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-shop-'));
    await writeFile(join(folder, '0001_shop.sql'), MIGRATION);
    const shop = defineFeature({
      name: 'shop',
      migrations: folder,
      panels: [panel],
      jobActions: [
        {
          name: 'shop-close',
          title: 'Close the shop',
          description: '',
          schema: { fieldsets: [], properties: {}, required: [] },
          exclusive: true,
          run: async () => ({}),
        },
      ],
      profile: { title: 'Shop', version: '1', types: [typeFile('Ware')] },
    });
    site = await startTestSite(engine, { features: [shop] });
    await ask(204, 'POST', '/@addons/shop/install');
    await ask(204, 'PATCH', '/@controlpanels/shop', { is_open: true });
    await ask(201, 'POST', '/@scheduled-jobs', {
      ...{ id: 'evening', title: 'Evening', action: 'shop-close', schedule: '0 18 * * *' },
    });
  });
  afterAll(async () => {
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (status: number, method: string, path: string, json?: unknown, options = {}) => {
    const response = await site.request(method, path, { ...(json === undefined ? {} : { json }), ...options });
    expect([response.status, response.text]).toEqual([status, expect.anything()]);
    return response.body;
  };
  const uninstall = (json: unknown, status = 200) =>
    ask(status, 'POST', '/@addons/shop/uninstall', json, { headers: { Prefer: 'return=representation' } });
  const tables = async () =>
    (
      await site.kernel.db.query<{ name: string }>({
        text: `select relname::text as name from pg_class where relname like 'shop\\_%' and relkind in ('r', 'v') order by 1`,
        values: [],
      })
    ).map(({ name }) => name);

  const LEFT = [
    'the table shop_line, with 1 row.',
    'the view shop_open.',
    'the table shop_order, with 2 rows.',
    'the scheduled job "evening".',
    'the values of the control panel "shop".',
  ];
  const listed = (verb: string) => LEFT.map((line) => `${verb}: ${line}`);

  it('only Managers may uninstall or clean up', async () => {
    const account = { username: 'hugo', password: 'a long password', roles: ['Site Administrator'] };
    await ask(201, 'POST', '/@users', { ...account, email: 'hugo@example.org' });
    const hugo = { login: 'hugo', password: account.password };
    for (const [as, status] of [['anonymous', 401] as const, [hugo, 403] as const])
      for (const json of [{}, { clean: true }, { clean: true, dry_run: true }])
        expect((await site.request('POST', '/@addons/shop/uninstall', { as, json })).status).toBe(status);
  });

  it('a dry run says what uninstalling leaves, and what cleaning up removes, and does neither', async () => {
    const { report } = await uninstall({ dry_run: true });
    expect(report.split('\n')).toEqual([
      'Dry run selected.',
      'The add-on "shop" is uninstalled.',
      ...listed('Stays'),
      '"canopy addons uninstall shop --clean" removes what stays.',
      expect.stringContaining('The feature "shop" still serves what is code'),
      'Dry run: transaction aborted.',
    ]);
    expect((await uninstall({ dry_run: true, clean: true })).report.split('\n')).toEqual(
      expect.arrayContaining(listed('Removed')),
    );
    expect(await tables()).toHaveLength(3);
    expect(await ask(200, 'GET', '/@addons/shop')).toMatchObject({ is_installed: true });
  });

  it('uninstalling says what stays', async () => {
    const { report, items } = await uninstall({});
    expect(report.split('\n')).toEqual(expect.arrayContaining(listed('Stays')));
    expect(items.find(({ id }: { id: string }) => id === 'shop').is_installed).toBe(false);
    expect(await tables()).toHaveLength(3);
    await ask(200, 'GET', '/@scheduled-jobs/evening');
    expect((await uninstall({}, 400)).message).toContain('is not installed');
  });

  it('tables that functions of the database use are not removed', async () => {
    await site.kernel.db.script(
      `create function count_orders() returns bigint language sql as 'select count(*) from shop_order'`,
    );
    expect((await uninstall({ clean: true }, 400)).message).toContain('count_orders');
    await site.kernel.db.script('drop function count_orders()');
    expect(await tables()).toHaveLength(3);
  });

  it('cleaning up after uninstalling removes tables, jobs and settings, and again nothing', async () => {
    expect((await uninstall({ clean: true })).report.split('\n')).toEqual(expect.arrayContaining(listed('Removed')));
    expect(await tables()).toEqual([]);
    await ask(404, 'GET', '/@scheduled-jobs/evening');
    expect((await ask(200, 'GET', '/@controlpanels/shop')).data.is_open).toBe(false);
    expect(await site.kernel.db.query({ text: 'select feature from feature_migration' })).toEqual([]);
    expect((await uninstall({ clean: true })).report).toContain('has left nothing');
  });
});
