import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';

/** The version that the profile of the next program has, and what its step changes. */
export const NEXT = { version: '2000', description: 'A page of the next version' };

/** Changes of the tables by the next program, after all of this one, each of which leaves something that a check can see. */
const MIGRATIONS = {
  '9001_next_column.sql': `alter table content add column next_path text;
update content set next_path = path;
alter table content add constraint next_path_known check (next_path is null or next_path = path);
`,
  '9002_next_table.sql': `create table next_thing (oid bigint primary key references content (oid) on delete cascade, title text not null);
insert into next_thing select oid, fields->>'title' from content where type = 'Page';
`,
};

const OF_FEATURE = {
  '0001_shop.sql':
    'create table shop_thing (id bigint generated always as identity primary key, name text not null);\n',
  '0002_shop_price.sql': `alter table shop_thing add column price integer not null default 0;
update shop_thing set price = 7;
`,
};

/** A feature with a table, a profile and a step; `version` 2 has a migration and a step more. */
const configOf = (version) => `import { readdirSync } from 'node:fs';
const { defineConfig, defineFeature, defineService, ok } = await import(process.env.TEST_PROGRAM);
const state = defineService({
  name: '@shop-state', method: 'GET', context: 'content', permission: null, summary: 'How far the database is.',
  responses: { 200: { description: 'Rows.' } },
  async run({ db }) {
    const rows = (text) => db.query({ text, reads: true });
    const columns = await rows("select table_name || '.' || column_name as name from information_schema.columns where table_name in ('content', 'shop_thing', 'next_thing')");
    const has = (name) => columns.some((column) => column.name === name);
    return ok({
      program: await rows('select id from schema_migration order by id'),
      feature: await rows('select id from feature_migration order by id'),
      paths: has('content.next_path') ? await rows('select count(*) as n from content where next_path is distinct from path') : null,
      things: has('next_thing.oid') ? await rows("select (select count(*) from next_thing) as n, (select count(*) from content where type = 'Page') as pages") : null,
      shop: await rows('select * from shop_thing order by id'),
      page: await rows("select data->>'description' as description from configuration where kind = 'type' and id = 'Page'"),
    });
  },
});
export default defineConfig({ features: [defineFeature({
  name: 'shop',
  services: [state],
  migrations: new URL('shop-migrations/', import.meta.url),
  tables: [
    { name: 'shop_thing', changes: 'anything', key: ['id'] },
    ${version > 1 ? "{ name: 'next_thing', changes: { unread: 'a test alone reads it' }, left: 'a test made it' }," : ''}
  ],
  profile: { folder: new URL('shop-profile/', import.meta.url), autoInstall: true },
  upgradeSteps: [{ id: 'shop-2', title: 'Sell one more', profile: 'shop', from: '1', to: '2',
    async run(tx) { await tx.query({ text: "insert into shop_thing (name) values ('by the step')" }); } }],
})] });
`;

async function writeFeature(folder, version) {
  await Promise.all(['shop-migrations', 'shop-profile'].map((name) => mkdir(join(folder, name))));
  await writeFile(join(folder, 'canopy.config.mjs'), configOf(version));
  for (const [name, sql] of Object.entries(OF_FEATURE).slice(0, version))
    await writeFile(join(folder, 'shop-migrations', name), sql);
  const profile = { id: 'shop', title: 'Shop', description: 'Things', version: String(version) };
  await writeFile(join(folder, 'shop-profile/metadata.json'), JSON.stringify(profile));
}

/**
 * Makes two programs in the folder, with the built code of this one: `now` as it is, and `next` with migrations, a version of the profile
 * with a step, and a newer version of a feature. Returns their folders.
 */
export async function makePrograms(folder) {
  for (const [name, version] of [
    ['now', 1],
    ['next', 2],
  ]) {
    const program = join(folder, name);
    await mkdir(program);
    for (const part of ['dist', 'migrations', 'profiles', 'locales', 'addons', 'package.json'])
      await cp(join(ROOT, part), join(program, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(program, 'node_modules'));
    await writeFeature(program, version);
  }
  const next = join(folder, 'next');
  for (const [name, sql] of Object.entries(MIGRATIONS)) await writeFile(join(next, 'migrations', name), sql);
  const profile = join(next, 'profiles/default');
  const metadata = JSON.parse(await readFile(join(profile, 'metadata.json'), 'utf8'));
  await writeFile(join(profile, 'metadata.json'), JSON.stringify({ ...metadata, version: NEXT.version }));
  const page = join(profile, 'types/Page.json');
  await writeFile(page, JSON.stringify({ ...JSON.parse(await readFile(page, 'utf8')), description: NEXT.description }));
  const step = join(profile, `upgrades/${NEXT.version}`);
  await mkdir(join(step, 'types'), { recursive: true });
  await writeFile(join(step, 'metadata.json'), JSON.stringify({ title: 'The next version' }));
  await writeFile(join(step, 'types/Page.json'), JSON.stringify({ id: 'Page', description: NEXT.description }));
  return { now: join(folder, 'now'), next };
}
