import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { all, open, page, site, writeExport } from './helpers.ts';

const image = (more: Record<string, unknown>): Record<string, unknown> =>
  page('/a', { image: { 'content-type': 'image/png', filename: 'a.png', ...more } });

describe('files of objects', () => {
  it.each(['../secret.txt', 'blobs/../../secret.txt', '/etc/passwd', 'blobs/\0x', '..'])(
    'a file outside of the export is not opened at %j',
    async (blobPath) => {
      const dir = await writeExport({ 'export/items/1.json': image({ blob_path: blobPath }), 'secret.txt': 'secret' });
      const source = await open(path.join(dir, 'export'));
      const [item] = await all(source.items());
      expect(item?.files).toMatchObject([{ field: 'image', path: null }]);
      expect(source.problems().filter((problem) => /refused/.test(problem.message))).toMatchObject([{ path: '/a' }]);
    },
  );

  it('a symbolic link that leads out of the export is not followed', async () => {
    const dir = await writeExport({ 'export/items/1.json': image({ blob_path: 'blobs/a' }), 'secret.txt': 'secret' });
    await symlink(dir, path.join(dir, 'export', 'blobs'));
    const source = await open(path.join(dir, 'export'));
    await writeFile(path.join(dir, 'a'), 'outside');
    const [item] = await all(source.items());
    expect(item?.files[0]?.path).toBeNull();
    expect(source.problems().some((problem) => problem.message.includes('missing'))).toBe(true);
  });

  it('missing files, files without content and files of another size are reported', async () => {
    const dir = await writeExport({
      'items/1.json': image({ blob_path: 'blobs/gone.png', size: 5 }),
      'items/2.json': { ...image({ download: 'http://x/a.png' }), '@id': '/b', UID: 'b' },
      'items/3.json': { ...image({ blob_path: 'c.png', size: 5 }), '@id': '/c', UID: 'c' },
      'blobs/c.png': '123',
    });
    const source = await open(dir);
    const items = await all(source.items());
    expect(items.map((item) => item.files[0]?.size)).toEqual([5, null, 3]);
    const messages = source.problems().map((problem) => `${problem.path} ${problem.message}`);
    expect(messages.filter((message) => /^\/a .*gone\.png is missing/.test(message))).toHaveLength(1);
    expect(messages.filter((message) => /^\/b .*neither/.test(message))).toHaveLength(1);
    expect(messages.filter((message) => /^\/c .*3 bytes.*says 5/.test(message))).toHaveLength(1);
  });

  it('files may be embedded as base64, which rich text is not', async () => {
    const text = { data: '<p>Hi</p>', 'content-type': 'text/html', encoding: 'utf-8' };
    const dir = await writeExport({
      'items/1.json': { ...image({ data: 'aGVsbG8=', encoding: 'base64' }), text },
    });
    const [item] = await all((await open(dir)).items());
    expect(item?.files).toMatchObject([{ field: 'image', path: null, base64: 'aGVsbG8=', contentType: 'image/png' }]);
    expect(item?.fields).toEqual({ text });
  });
});

describe('broken objects', () => {
  it('broken objects are reported with the name of their file, and the rest is loaded', async () => {
    const dir = await writeExport({
      'items/1.json': site('/'),
      'items/2.json': '{"@id": "/a", ',
      'items/3.json': page('/a/child'),
      'items/4.json': { '@type': 'Document' },
      'items/5.json': [1, 2],
      'items/6.json': page('/b/../../etc'),
      'items/7.json': page('/last'),
    });
    const source = await open(dir);
    expect((await all(source.items())).map((item) => item.path)).toEqual(['/', '/a/child', '/last']);
    const reported = source.problems().map((problem) => problem.file);
    for (const number of [2, 4, 5, 6]) expect(reported).toContain(`items/${number}.json`);
    expect(source.problems().find((problem) => problem.path === '/a/child')?.message).toContain('/a is not in');
  });

  it('a broken object in a list does not affect the others', async () => {
    const good = JSON.stringify(page('/a', { title: 'x'.repeat(300_000) }));
    const dir = await writeExport({
      'all.json': `\uFEFF[ ${good} , {"@id": nonsense}, ${JSON.stringify(page('/b'))} ]\n`,
    });
    const source = await open(dir);
    const items = await all(source.items());
    expect(items.map((item) => item.path)).toEqual(['/a', '/b']);
    expect(items[0]?.fields.title).toHaveLength(300_000);
    expect(source.problems().filter((problem) => problem.file === 'all.json')).toHaveLength(1);
  });

  it('the end of a truncated list is reported', async () => {
    const dir = await writeExport({ 'all.json': `[${JSON.stringify(page('/a'))}, {"@id": "/b", "title": "cut` });
    const source = await open(dir);
    expect(await source.count()).toBe(1);
    expect(source.problems().map((problem) => problem.message)).toContain('The file ends within the list.');
  });

  it('no path and no UID is yielded twice', async () => {
    const dir = await writeExport({
      'items/1.json': page('/a', { UID: 'same' }),
      'items/2.json': page('/b', { UID: 'same' }),
      'items/3.json': page('/a', { UID: 'other' }),
      'items/4.json': page('/c', { UID: null }),
    });
    const source = await open(dir);
    const items = await all(source.items());
    expect(items.map((item) => item.path)).toEqual(['/a', '/b', '/c']);
    expect(new Set(items.map((item) => item.uid)).size).toBe(3);
    expect((await all((await open(dir)).items())).map((item) => item.uid)).toEqual(items.map((item) => item.uid));
  });

  it('very deep values and names such as constructor break nothing', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const dir = await writeExport({
      'items/1.json': `{"@id":"/a","@type":"D","UID":"u","blocks":${deep},"__proto__":{"x":1},"constructor":"c"}`,
    });
    const source = await open(dir);
    const [item] = await all(source.items());
    expect(Object.keys(item?.fields ?? {})).toEqual(['__proto__', 'constructor']);
    expect(source.problems().some((problem) => /blocks is nested deeper/.test(problem.message))).toBe(true);
  });

  it('NaN and infinity become null and are reported, also within lists', async () => {
    const odd = (path: string) =>
      `{"@id":"${path}","@type":"D","rank":NaN,"list":[-Infinity,1],"title":"NaN \\" Infinity"}`;
    const dir = await writeExport({ 'items/1.json': odd('/a'), 'all.json': `[null, ${odd('/b')}]` });
    const source = await open(dir);
    for (const { fields } of await all(source.items()))
      expect(fields).toEqual({ rank: null, list: [null, 1], title: 'NaN " Infinity' });
    expect(await source.count()).toBe(2);
    const reported = source.problems().filter(({ reason }) => reason === 'value');
    expect(reported.map(({ file }) => file).sort()).toEqual(['all.json', 'items/1.json']);
  });

  it('a text in the encoding of old Windows is read as such, which is reported', async () => {
    const dir = await writeExport({ 'items/1.json': page('/a', { title: 'x' }) });
    const bytes = Buffer.from(JSON.stringify(page('/a', { title: 'caf\u00e9' })), 'latin1');
    await writeFile(path.join(dir, 'items/1.json'), bytes);
    const source = await open(dir);
    expect((await all(source.items()))[0]?.fields.title).toBe('café');
    expect(source.problems()).toContainEqual(expect.objectContaining({ reason: 'changed', file: 'items/1.json' }));
  });

  it('a list that holds no objects is reported, an empty one is not', async () => {
    const dir = await writeExport({ 'items/1.json': page('/a'), 'numbers.json': [1, 2], 'empty.json': [] });
    const source = await open(dir);
    await source.count();
    expect(source.problems().map(({ file }) => file)).toContain('numbers.json');
    expect(source.problems().map(({ file }) => file)).not.toContain('empty.json');
  });
});
