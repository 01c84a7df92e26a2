import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, expect, it } from 'vitest';
import { defineFeature, type Feature } from '../../src/core/services/feature.ts';
import { ok } from '../../src/core/services/response.ts';
import { defineService } from '../../src/core/services/service.ts';
import { startSite } from '../../src/testing.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';

// The tables of tests name the folder, so that it is there before any of them.
const folder = await mkdtemp(join(tmpdir(), 'canopy-tables-'));
await writeFile(
  join(folder, '0001_stock.sql'),
  `create table stock (content bigint, pieces int not null); insert into stock values (null, 1);
   create view stocked as select pieces from stock;`,
);
afterAll(() => rm(folder, { recursive: true, force: true }));

const getStock = defineService({
  name: '@stock',
  method: 'GET',
  context: 'site',
  permission: 'View',
  summary: 'How much there is.',
  cacheable: true,
  responses: { 200: { description: 'The number.', schema: Type.Unknown() } },
  run: async ({ db }) => ok(await db.query({ text: 'select pieces from stock' })),
});

const VIEW = { name: 'stocked', left: 'it is a view', changes: { unread: 'nothing reads it' } } as const;

/** A feature with a table that says this of it. */
const stock = (tables: Feature['tables'] = []): Feature =>
  defineFeature({ name: 'stock', migrations: folder, services: [getStock], tables });

const stockWith = (changes: NonNullable<Feature['tables']>[number]['changes']): Feature =>
  stock([{ name: 'stock', left: 'it is counted anew', changes }, VIEW]);

it.each([
  [stock([VIEW]), 'No feature says anything of the table "stock"'],
  [stock([{ name: 'stock', left: 'it is counted anew', changes: 'anything' }]), 'the table "stocked"'],
  [stockWith({ object: 'shelf' }), 'The feature "stock" cannot be used: The table "stock" has no column "shelf"'],
  [stockWith({ object: 'pieces' }), 'has no column "pieces" with numbers of content'],
  [stockWith({ noted: 'its migration does' }), 'The table "stock" has no trigger that notes its changes'],
  [
    stock([VIEW, { name: 'stok', left: 'it is counted anew', changes: 'anything' }]),
    'The table "stok" is not in the database',
  ],
  [stock([VIEW, VIEW]), 'There are two tables stocked'],
  [stock([{ ...VIEW, name: 'job' }]), 'There are two tables job'],
  [stockWith(JSON.parse('"sometimes"')), 'A table "stock" must say how its changes end responses that are kept'],
  [stockWith(JSON.parse('{"object": 5}')), 'A table "stock" must say how its changes end responses that are kept'],
])(
  'a site with an add-on does not start in a test when a table is declared wrongly or not at all (%#)',
  async (feature, problem) => {
    await expect(startSite({ features: [feature] })).rejects.toThrow(problem);
  },
);

describeEachEngine('a service whose responses are kept', (engine) => {
  const read = async (site: Awaited<ReturnType<typeof startTestSite>>) =>
    (await site.request('GET', '/@stock', { as: 'anonymous' })).body[0].pieces;

  it.each([
    ['anything', 'anything' as const],
    ['its object', { object: 'content' }],
  ])('shows at once what is new in a table whose changes are changes of %s', async (_title, changes) => {
    const site = await startTestSite(engine, { features: [stockWith(changes)] });
    const { db } = site.kernel;
    expect(await read(site)).toBe(1);
    await db.query({ text: 'update stock set pieces = 2' });
    expect(await read(site)).toBe(2);
    await db.query({ text: 'alter table stock disable trigger user' });
    await db.query({ text: 'update stock set pieces = 3' });
    expect(await read(site), 'what is kept').toBe(2);
    await site.close();
  });

  it.each([
    ['of which nothing was said', stock()],
    ['which is said to be unread', stockWith({ unread: 'nobody reads it' })],
  ])('is never kept when it reads a table %s, and a test of it fails', async (_title, feature) => {
    const site = await startTestSite(engine, { features: [feature] });
    expect(await read(site)).toBe(1);
    await site.kernel.db.query({ text: 'update stock set pieces = 2' });
    expect(await read(site)).toBe(2);
    await expect(site.close()).rejects.toThrow('GET @stock: is cacheable, but reads the table "stock"');
  });
});
