import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, test } from 'vitest';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import { jsonParameter } from '../../src/core/search/statements/long-fields.ts';
import type { Queryable } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { exportInto, importFrom, keepFolders } from '../site-export/folders.ts';
import { createTestDatabase, describeEachEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const BLOCKS = { a: { '@type': 'slate', plaintext: 'Words' }, b: { '@type': 'title' } };
const LAYOUT = { items: ['b', 'a'] };
const TEXT = { data: '<p>Text</p>', 'content-type': 'text/html', encoding: 'utf-8' };

describeEachEngine('long fields', (engine) => {
  const site = useTestSite(engine);
  const page = async (id: string) => {
    const json = { '@type': 'Page', id, title: id, blocks: BLOCKS, blocks_layout: LAYOUT };
    expect((await site.request('POST', '/', { json })).status).toBe(201);
    return `/${id}`;
  };
  const readBlocks = async (path: string) => {
    const { body } = await site.request('GET', path);
    return { blocks: body.blocks, layout: body.blocks_layout };
  };
  const rowsOf = (path: string) =>
    site.kernel.db.query({ text: 'select fields, blocks, blocks_layout from content where path = $1', values: [path] });

  test('a database of an earlier program has them in columns of their own after its migrations', async () => {
    const { database, drop } = await createTestDatabase(engine, { migrated: false });
    onTestFinished(drop);
    const folder = await mkdtemp(join(tmpdir(), 'canopy-long-fields-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const file of await readdir('migrations'))
      if (file.endsWith('.sql') && file < '0028') await cp(join('migrations', file), join(folder, file));
    await migrate(database, folder);
    await database.query({
      text: `insert into content (uid, name, path, position, type, owner, created, modified, local_roles, fields)
        values ('u', '', '/', 0, 'Page', 'admin', now(), now(), '{}', $1::jsonb)`,
      values: [JSON.stringify({ title: 'Root', blocks: BLOCKS, blocks_layout: LAYOUT, text: TEXT })],
    });
    await migrate(database, 'migrations');
    expect(await database.query({ text: 'select fields, blocks, blocks_layout, text from content' })).toEqual([
      { fields: { title: 'Root' }, blocks: BLOCKS, blocks_layout: LAYOUT, text: TEXT },
    ]);
  });

  it('they are in their columns, and absent ones are null', async () => {
    const [row] = await rowsOf(await page('columns'));
    expect(row).toMatchObject({ fields: { title: 'columns' }, blocks: BLOCKS, blocks_layout: LAYOUT });
    expect(await site.request('POST', '/', { json: { '@type': 'Folder', id: 'bare', title: 'Bare' } })).toMatchObject({
      status: 201,
    });
    await site.request('PATCH', '/columns', { json: { blocks: null, blocks_layout: null } });
    const [emptied] = await rowsOf('/columns');
    expect(emptied).toMatchObject({ blocks: null, blocks_layout: null });
  });

  it('a row with one of them among the other fields is refused, because no response would have it', async () => {
    await expect(
      site.kernel.db.query({ text: `update content set fields = fields || '{"blocks": {}}' where path = '/'` }),
    ).rejects.toThrow('content_long_fields');
  });

  it('a change of another field does not write them anew', async () => {
    const texts: string[] = [];
    const noted = {
      query: async ({ text }: { text: string }) => {
        texts.push(text);
        return [];
      },
    } as unknown as Queryable;
    const fields = { title: 'New', blocks: BLOCKS };
    await updateContentRow(noted, 1, { fields }, ['title']);
    await updateContentRow(noted, 1, { fields }, ['title', 'blocks']);
    await updateContentRow(noted, 1, { fields });
    expect(texts).toEqual([
      'update content set fields = $2::jsonb where oid = $1',
      'update content set fields = $2::jsonb, blocks = $3::json where oid = $1',
      'update content set fields = $2::jsonb, blocks = $3::json, blocks_layout = $4::json, text = $5::json where oid = $1',
    ]);
  });

  it('characters that cannot be stored are refused, and texts that look like their escapes are not', async () => {
    await page('characters');
    const send = (plaintext: string) =>
      site.request('PATCH', '/characters', { json: { blocks: { a: { '@type': 'slate', plaintext } } } });
    for (const words of ['a\u0000b', 'a\ud83d']) expect(await send(words)).toMatchObject({ status: 400 });
    for (const words of ['\\u0000', '\\\\ud83d', '😀\\', '\u0001']) {
      expect((await send(words)).status, JSON.stringify(words)).toBe(204);
      expect((await readBlocks('/characters')).blocks.a.plaintext).toBe(words);
    }
    expect(() => jsonParameter({ data: 'a\u0000b' })).toThrow('Text must not contain the character U+0000.');
    expect(() => jsonParameter(['a\ud83d'])).toThrow('Text must not contain half a surrogate pair.');
    expect(() => jsonParameter(['\\\ude00b'])).toThrow('Text must not contain half a surrogate pair.');
    expect(jsonParameter(['\\u0000'])).toBe('["\\\\u0000"]');
  });

  it('an entry of the recycle bin that an earlier program has stored comes back with them', async () => {
    const path = await page('removed');
    await site.request('DELETE', path);
    await site.kernel.db.query({
      text: `update recycled_object set data = (data - array['blocks', 'blocks_layout', 'text'])
        || jsonb_build_object('fields', data->'fields' || jsonb_build_object('blocks', data->'blocks', 'blocks_layout', data->'blocks_layout'))
        where path = '/removed'`,
    });
    const { body } = await site.request('GET', '/@recyclebin');
    const entry = body.items.find(({ title }: { title: string }) => title === 'removed');
    expect((await site.request('POST', `/@recyclebin/${entry.recycle_id}/restore`, { json: {} })).status).toBe(200);
    expect(await readBlocks(path)).toEqual({ blocks: BLOCKS, layout: LAYOUT });
  });

  it('an export that an earlier program has written is imported with them', async () => {
    const folders = keepFolders();
    onTestFinished(() => folders.remove());
    const old = await startTestSite(engine);
    onTestFinished(() => old.close());
    const json = { '@type': 'Page', id: 'exported', title: 'Exported', blocks: BLOCKS, blocks_layout: LAYOUT };
    await old.request('POST', '/', { json });
    const folder = await folders.fresh();
    await exportInto(old.kernel, folder, { path: '/exported' });
    const file = join(folder, 'canopy', 'tables', 'content.jsonl');
    const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    const asBefore = rows.map((row) => {
      const { blocks, blocks_layout, text: _text, fields, ...columns } = JSON.parse(row);
      return JSON.stringify({ ...columns, fields: { ...fields, blocks, blocks_layout } });
    });
    await writeFile(file, `${asBefore.join('\n')}\n`);
    await importFrom(site.kernel, folder);
    expect(await readBlocks('/exported')).toEqual({ blocks: BLOCKS, layout: LAYOUT });
  });
});
