import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts';
import { describeEachEngine } from '../../support/database.ts';
import { startTestSite } from '../../support/site.ts';
import { run, stored } from '../import-helpers.ts';
import { moveHere, removeHere, updateStored } from './edit-here.ts';
import { contentOf } from './old-site.ts';

/** A folder that plone.exportimport has written, which is not part of this repository; without it this test is skipped. */
const SMALL = `${process.env.TEST_EXPORTS ?? ''}/plone-exportimport`;

const UIDS = {
  foo: 'e7359727ace64e609b79c4091c38822a',
  bar: '70844f7bec1843b8ab2796c972c9ebfe',
  fooBar: '35661c9bb5be42c68f665aa1ed291418',
  anotherPage: '45b0b46f17104a7b8fa7bb94d3dd5bd9',
  barFoo: '5d77cd5686184ec49ab077017b1fbc3a',
  news: '7c1393f615c4447c80db0d784390c5b7',
  picture: '90b11c863598495ba699b22ca76b1041',
  pdf: '3e0dd7c4b2714eafa1d6fc6a1493f953',
  added: '00000000000040008000000000000001',
};

const LATER = '2030-01-02T03:04:05+00:00';

async function loadJson(file: string): Promise<JsonObject> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${file} is no object`);
  return value;
}

const member = (value: unknown, name: string): JsonObject => {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
};

/** Lets the old site change: objects edited, saved twice, moved, removed and added, files, rights, people and old addresses. */
async function newerExport(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'canopy-month-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(SMALL, folder, { recursive: true });
  const fileOf = (uid: string) => path.join(folder, 'content', uid, 'data.json');
  const edit = async (uid: string, change: (object: JsonObject) => JsonObject) => {
    const object = await loadJson(fileOf(uid));
    await writeFile(fileOf(uid), JSON.stringify({ ...object, modified: LATER, ...change(object) }));
  };
  await edit(UIDS.foo, () => ({ description: 'Theirs' }));
  await edit(UIDS.bar, () => ({ title: 'Their bar' }));
  await edit(UIDS.pdf, () => ({ title: 'Their prospectus' }));
  await edit(UIDS.anotherPage, () => ({ '@id': '/foo/other-page', id: 'other-page' }));
  const parent = { '@id': '/foo', '@type': 'Document', UID: UIDS.foo };
  await edit(UIDS.barFoo, () => ({ '@id': '/foo/moved', id: 'moved', parent }));
  await edit(UIDS.news, (object) => ({
    ...{ title: 'The last news', changeNote: 'Last', changeActor: 'admin' },
    'exportimport.versions': {
      0: { ...object, version: 0 },
      1: { ...object, title: 'News between', modified: '2029-01-01T00:00:00+00:00', changeNote: 'Between', version: 1 },
    },
  }));
  await mkdir(path.dirname(fileOf(UIDS.added)), { recursive: true });
  const model = await loadJson(fileOf(UIDS.fooBar));
  const added = { ...model, '@id': '/bar/added', id: 'added', UID: UIDS.added, title: 'Added' };
  await writeFile(fileOf(UIDS.added), JSON.stringify({ ...added, parent: { '@id': '/bar', UID: UIDS.bar } }));
  await rm(path.dirname(fileOf(UIDS.fooBar)), { recursive: true });
  const file = path.join(folder, 'content/__metadata__.json');
  const metadata = await loadJson(file);
  const files = Array.isArray(metadata._data_files_) ? metadata._data_files_ : [];
  const roles = member(metadata, 'local_roles');
  await writeFile(
    file,
    JSON.stringify({
      ...metadata,
      _data_files_: [...files.filter((name) => !String(name).startsWith(UIDS.fooBar)), `${UIDS.added}/data.json`],
      default_page: { [UIDS.foo]: { default_page: 'other-page', default_page_uuid: UIDS.anotherPage } },
      local_roles: { ...roles, [UIDS.news]: { local_roles: { admin: ['Owner'], 'joao.silva': ['Editor'] } } },
      ordering: { ...member(metadata, 'ordering'), [UIDS.added]: 5, [UIDS.barFoo]: 4 },
    }),
  );
  await writeFile(path.join(folder, 'redirects.json'), JSON.stringify({ '/old-foo': '/foo' }));
  const people = await loadJson(path.join(folder, 'principals.json'));
  const groups = Array.isArray(people.groups) ? people.groups : [];
  const team = { groupid: 'team', title: 'Team', description: '', email: '', groups: [], principals: [], roles: [] };
  await writeFile(path.join(folder, 'principals.json'), JSON.stringify({ ...people, groups: [...groups, team] }));
  return folder;
}

const NOTHING = { added: 0, changed: 0, moved: 0, removed: 0, reordered: 0, conflicts: 0 };

describe.skipIf(!existsSync(SMALL))('an export of plone.exportimport beside its successor', () => {
  describeEachEngine('the small site', (engine) => {
    it.each(['keep', 'take'] as const)(
      'With %s each object is as both sides have made it, and a third import changes nothing.',
      {
        timeout: 300_000,
      },
      async (rule) => {
        const site = await startTestSite(engine);
        onTestFinished(() => site.close());
        const { kernel } = site;
        await run(kernel, SMALL);
        const first = await contentOf(kernel);
        expect((await run(kernel, SMALL, { again: 'stop' })).again?.counts).toEqual({ ...NOTHING, unchanged: 9 });
        expect(await contentOf(kernel)).toBe(first);

        await updateStored(kernel, '/foo', { title: 'Our foo' });
        await updateStored(kernel, '/bar', { title: 'Our bar' });
        await moveHere(kernel, '/plone.pdf', '/foo', 'plone.pdf');
        await removeHere(kernel, '/bar/2025.png');
        const newer = await newerExport();
        expect((await run(kernel, newer, { again: 'stop' })).refused).toBe(true);
        const summary = await run(kernel, newer, { again: rule });
        expect(summary.again?.counts).toMatchObject({ added: 1, removed: 1, conflicts: 1 });
        expect(summary.again?.conflicts).toMatchObject([
          {
            path: '/bar',
            part: 'title',
            here: 'Our bar',
            there: 'Their bar',
            counts: rule === 'keep' ? 'here' : 'there',
          },
        ]);
        const after = new Map([...(await stored(kernel)).values()].map((object) => [object.uid, object]));
        const seen = (uid: string) => after.get(uid) && [after.get(uid)?.path, after.get(uid)?.fields.title];
        expect(seen(UIDS.foo)).toEqual(['/foo', 'Our foo']);
        expect(after.get(UIDS.foo)).toMatchObject({ page: 'other-page', fields: { description: 'Theirs' } });
        expect(seen(UIDS.bar)).toEqual(['/bar', rule === 'keep' ? 'Our bar' : 'Their bar']);
        expect(seen(UIDS.pdf)).toEqual(['/foo/plone.pdf', 'Their prospectus']);
        expect(after.get(UIDS.anotherPage)?.path).toBe('/foo/other-page');
        expect(after.get(UIDS.barFoo)?.path).toBe('/foo/moved');
        expect(seen(UIDS.added)).toEqual(['/bar/added', 'Added']);
        expect([seen(UIDS.fooBar), seen(UIDS.picture)]).toEqual([undefined, undefined]);
        expect(after.get(UIDS.news)).toMatchObject({
          roles: { 'user:joao.silva': ['Editor'], 'user:admin': ['Owner'] },
        });
        expect(after.size).toBe(8);

        const get = async (address: string) => (await site.request('GET', address)).body;
        const history = await get('/bar/an-important-news/@history');
        const versions = history.filter(({ type }: { type: string }) => type === 'versioning');
        expect(versions.slice(0, 2)).toMatchObject([{ comments: 'Last' }, { comments: 'Between' }]);
        const between = await get(`/bar/an-important-news/@history/${versions[1].version}`);
        expect(between.title).toBe('News between');
        expect((await site.request('GET', '/old-foo')).headers.get('location')).toBe(`${site.url}/foo`);
        expect((await site.request('GET', '/bar/foo')).headers.get('location')).toBe(`${site.url}/foo/moved`);
        expect((await site.request('GET', '/@groups/team')).status).toBe(200);

        const settled = await contentOf(kernel);
        const third = await run(kernel, newer, { again: 'stop' });
        expect(third.again?.counts).toMatchObject(NOTHING);
        expect(await contentOf(kernel)).toBe(settled);
      },
    );
  });
});
