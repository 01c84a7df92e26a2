import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ExportError } from '@canopy-server/site-reader';
import { describe, expect, it } from 'vitest';
import { all, fixture, open, page, site, writeExport } from './helpers.ts';

describe('collective.exportimport', () => {
  it('objects are counted and yielded after their parents whatever the order of the files', async () => {
    const source = await open(fixture('collective'));
    expect(source.format).toBe('collective.exportimport');
    expect(await source.count()).toBe(4);
    const items = await all(source.items());
    expect(items.map((item) => item.path)).toEqual(['/', '/en', '/en/media', '/en/media/photo.txt']);
    expect(items.map((item) => item.parentPath)).toEqual([null, '/', '/en', '/en/media']);
    expect(await all(source.items())).toEqual(items);
  });

  it('dates, workflow, roles and settings become properties of the item, and only content stays in the fields', async () => {
    const source = await open(fixture('collective'));
    const [root, en] = await all(source.items());
    expect(root).toMatchObject({ id: 'Plone', uid: 'u-root', defaultPage: 'en', type: 'Plone Site' });
    expect(en).toMatchObject({
      id: 'en',
      position: 7,
      effective: new Date('2023-12-09T14:09:00Z'),
      expires: null,
      created: new Date('2024-01-02T03:04:05Z'),
      reviewState: 'published',
      localRoles: { editors: ['Editor'], eve: ['Owner'] },
      blockLocalRoles: true,
      owner: 'eve',
      creators: ['ada'],
      given: ['effective', 'expires', 'creators', 'language'],
    });
    expect(new Set(en?.workflowHistory.map(({ workflow }) => workflow))).toEqual(
      new Set(['simple_publication_workflow']),
    );
    expect(en?.workflowHistory.map((entry) => [entry.action, entry.review_state, entry.time])).toEqual([
      [null, 'private', new Date('2024-01-02T03:04:05Z')],
      ['publish', 'published', new Date('2024-01-02T04:00:00Z')],
    ]);
    expect(en?.fields).toEqual({
      title: 'En',
      description: '',
      blocks: { b1: { '@type': 'slate', plaintext: 'Hello' } },
      blocks_layout: { items: ['b1'] },
    });
  });

  it('files are found on disk, and media have the position stored for their language', async () => {
    const source = await open(fixture('collective'));
    const photo = (await all(source.items())).at(-1);
    expect(photo).toMatchObject({ position: 2, language: null, isFolderish: false });
    expect(photo?.fields).not.toHaveProperty('image');
    const [file, ...others] = photo?.files ?? [];
    expect(others).toEqual([]);
    expect(file).toMatchObject({ field: 'image', filename: 'photo.txt', contentType: 'image/png', size: 6, width: 4 });
    expect(await readFile(file?.path ?? '', 'utf8')).toBe('pixels');
  });

  it('principals, redirects, translations, relations and comments of collective.exportimport are parsed', async () => {
    const source = await open(fixture('collective'));
    expect(await all(source.users())).toMatchObject([
      { username: 'ada', password: '{SSHA}abc', groups: ['editors'] },
      { username: 'bob', password: null, email: '' },
    ]);
    expect(await all(source.groups())).toMatchObject([{ id: 'editors', roles: ['Editor'], members: ['ada'] }]);
    expect(await all(source.redirects())).toEqual([
      { from: '/old', to: '/en' },
      { from: '/out', to: 'https://example.org/there' },
      { from: '/Plonescape', to: '/en/media' },
    ]);
    expect(await all(source.translations())).toEqual([{ en: 'u-en', de: 'u-de' }]);
    expect(await all(source.relations())).toEqual([
      { from_uuid: 'u-en', to_uuid: 'u-media', relation: 'relatedItems' },
    ]);
    const comments = await all(source.comments());
    expect(comments.map(({ id, inReplyTo, text }) => [id, inReplyTo, text])).toEqual([
      ['1', null, 'first'],
      ['2', '1', 'reply'],
      ['3', null, 'lost'],
    ]);
    const messages = source.problems().map((problem) => problem.message);
    expect(messages).toHaveLength(3);
    expect(messages.join('\n')).toMatch(/relation is incomplete[\s\S]*answers 99[\s\S]*password is no hash/);
    expect(messages.join('\n')).not.toContain('in clear');
  });

  it('files with lists of objects are found in a folder and by their own name', async () => {
    const dir = await writeExport({
      'Document.json': [page('/Plone/a/b'), page('/Plone/a', { title: 'A "], \\' })],
      'Site.json': [site('/Plone'), { unexported_paths: [{ path: '/Plone/c', message: 'KeyError' }] }],
      'ordering.json': [{ uuid: 'uid of /Plone/a', order: 4 }],
      'settings.json': { not: 'a list' },
    });
    const source = await open(dir);
    const items = await all(source.items());
    expect(items.map((item) => item.path)).toEqual(['/', '/a', '/a/b']);
    expect(items[1]).toMatchObject({ position: 4, fields: { title: 'A "], \\' } });
    expect(source.problems()).toMatchObject([
      { reason: 'unreadable', file: 'settings.json', path: null },
      {
        reason: 'unexported',
        file: 'Site.json',
        path: '/Plone/c',
        message: 'The old site could not export it: KeyError',
      },
    ]);
    const one = await open(path.join(dir, 'Document.json'));
    expect(await one.count()).toBe(2);
  });
});

describe('plone.exportimport', () => {
  it('objects of plone.exportimport get the side data of the metadata', async () => {
    const source = await open(fixture('plone'));
    expect(source.format).toBe('plone.exportimport');
    const [root, a, b] = await all(source.items());
    expect(root).toMatchObject({ path: '/', uid: 'real-root-uid', language: null, owner: 'admin' });
    expect(a).toMatchObject({
      path: '/a',
      position: 3,
      defaultPage: 'b',
      blockLocalRoles: true,
      localRoles: { ada: ['Owner'], Staff: ['Reader'] },
      localPermissions: { 'Add File': { roles: ['Member'], acquire: false } },
      constrains: { locallyAllowed: ['File', 'Document'], immediatelyAddable: ['File'] },
    });
    expect(a?.fields).toEqual({ title: 'A', description: '' });
    expect(b).toMatchObject({ path: '/a/b', constrains: null, files: [{ field: 'file', size: 4, filename: 'b.txt' }] });
    expect(source.problems()).toEqual([]);
    expect(a?.versions).toHaveLength(1);
  });

  it('comments are parsed from the file of discussions and from the objects', async () => {
    const source = await open(fixture('plone'));
    const comments = await all(source.comments());
    expect(comments.map(({ contentUid, text }) => [contentUid, text])).toEqual([
      ['uid-b', 'in the file'],
      ['uid-a', 'in the item'],
    ]);
    expect(await all(source.redirects())).toEqual([{ from: '/x', to: '/a' }]);
    expect(await all(source.users())).toMatchObject([{ username: 'ada', password: '$2b$12$abc' }]);
  });

  it.each([
    ['{"ordering": ', 'cannot be read as an object of JSON'],
    [[], 'cannot be read as an object of JSON'],
    [{ _data_files_: 5 }, '"_data_files_" must be a list of files'],
    [{ _data_files_: [], local_roles: 'x' }, '"local_roles" must be an object by UIDs'],
  ])('an export with the metadata %j is rejected, which says how it is broken', async (metadata, message) => {
    const dir = await writeExport({ 'content/__metadata__.json': metadata, 'content/u1/data.json': page('/a') });
    const source = await open(dir);
    await expect(source.count()).rejects.toThrow(message);
  });
});

describe('a folder that is not an export', () => {
  it('a folder that is not an export is rejected with a list of the expected files', async () => {
    const dir = await writeExport({ 'readme.txt': 'hello', 'data.json': { a: 1 } });
    await expect(open(dir)).rejects.toThrow(ExportError);
    await expect(open(dir)).rejects.toThrow(/__metadata__\.json.*items\/<number>\.json/);
    await expect(open(path.join(dir, 'absent'))).rejects.toThrow(ExportError);
    await expect(open(path.join(dir, 'readme.txt'))).rejects.toThrow(ExportError);
    await expect(open(path.join(dir, 'data.json'))).rejects.toThrow(ExportError);
  });
});
