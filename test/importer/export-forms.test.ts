import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { all, keepExport, open, page, site, writeExport } from './readers/helpers.ts';

const paths = async (directory: string, siteRoot?: string): Promise<string[]> =>
  (await all((await open(directory, siteRoot)).items())).map((item) => item.path);

const COMPOSED = 'Übersicht é.png';

describe('names of files in an export', () => {
  it.each([
    [
      'with marks of their own in the export and composed on disk',
      COMPOSED.normalize('NFD'),
      COMPOSED.normalize('NFC'),
    ],
    [
      'composed in the export and with marks of their own on disk',
      COMPOSED.normalize('NFC'),
      COMPOSED.normalize('NFD'),
    ],
  ])('Files are found whose names are %s.', async (_, named, onDisk) => {
    const directory = await writeExport({
      '1.json': page('/a', { image: { blob_path: `dïr/${named}`, filename: named, 'content-type': 'image/png' } }),
    });
    await mkdir(path.join(directory, 'blobs', 'dïr'.normalize('NFD')), { recursive: true });
    await writeFile(path.join(directory, 'blobs', 'dïr'.normalize('NFD'), onDisk), 'pixels');
    const source = await open(directory);
    const [item] = await all(source.items());
    expect(item?.files[0]).toMatchObject({ size: 6, filename: named });
    expect(source.problems().filter(({ reason }) => reason === 'file')).toEqual([]);
  });

  it('A link that leads out of the export is not followed under another spelling either.', async () => {
    const { directory, drop } = await keepExport({
      'export/1.json': page('/a', { image: { blob_path: 'é', filename: 'e', 'content-type': 'image/png' } }),
      'secret.txt': 'secret',
    });
    await symlink(path.join(directory, 'secret.txt'), path.join(directory, 'export', 'é'.normalize('NFD')));
    const [item] = await all((await open(path.join(directory, 'export'))).items());
    expect(item?.files[0]?.path).toBeNull();
    await drop();
  });
});

describe('files of collective.exportimport', () => {
  it('Objects are found one a file in folders, and other parts by what they hold.', async () => {
    const directory = await writeExport({
      'backup/Plone Site/1.json': site('/Plone'),
      'backup/Folder/1.json': page('/Plone/f', { UID: 'f' }),
      'backup/Document/1.json': page('/Plone/f/a', { UID: 'a' }),
      'backup/Document/2.json': page('/Plone/f/b', { UID: 'b' }),
      'backup/Document/errors.json': { unexported_paths: [{ path: '/Plone/c', message: 'KeyError' }] },
      'other/people.json': { groups: [{ groupid: 'g' }], members: [{ username: 'u', password: '' }] },
      'other/one.json': [{ from_uuid: 'a', to_uuid: 'b', relationship: 'relatedItems' }],
      'other/two.json': [{ de: 'a', en: 'b' }],
      'other/three.json': [{ uuid: 'a', order: 3 }],
      'other/four.json': [{ uuid: 'f', default_page: 'a' }],
      'other/five.json': [{ uuid: 'a', conversation: { items: [{ comment_id: 1, text: 'Hi' }] } }],
      'other/six.json': { '/Plone/old': '/Plone/f' },
      'other/seven.json': [{ uuid: 'f', localroles: { u: ['Editor'] }, block: 1 }],
      'other/eight.json': [{ uuid: 'f', portlets: { left: [{ type: 'x' }] } }],
      'other/nine.json': [{ anything: 'else' }],
      '.hidden/1.json': page('/Plone/hidden'),
    });
    const source = await open(directory);
    const items = await all(source.items());
    expect(items.map((item) => item.path)).toEqual(['/', '/f', '/f/a', '/f/b']);
    expect(items[1]).toMatchObject({ defaultPage: 'a', localRoles: { u: ['Editor'] }, blockLocalRoles: true });
    expect(items[2]?.position).toBe(3);
    expect(await all(source.users())).toMatchObject([{ username: 'u' }]);
    expect(await all(source.groups())).toMatchObject([{ id: 'g' }]);
    expect(await all(source.relations())).toEqual([{ from_uuid: 'a', to_uuid: 'b', relation: 'relatedItems' }]);
    expect(await all(source.translations())).toEqual([{ de: 'a', en: 'b' }]);
    expect(await all(source.redirects())).toEqual([{ from: '/old', to: '/f' }]);
    expect(await all(source.comments())).toMatchObject([{ contentUid: 'a', id: '1' }]);
    const told = source.problems().map(({ reason, file, key }) => [reason, file, key]);
    expect(told).toContainEqual(['unsupported', 'other/eight.json', 'portlets.left.0']);
    expect(told).toContainEqual(['unreadable', 'other/nine.json', null]);
    expect(told).toContainEqual(['unexported', 'backup/Document/errors.json', null]);
  });

  it('Members, relations and the rest are found with export_ before their names, also in another folder.', async () => {
    const directory = await writeExport({
      'content/1.json': site('/Plone'),
      'export_members.json': { members: [{ username: 'u' }], groups: [] },
      'side/export-relations.json': [],
      'side/export_redirects.json': {},
    });
    const source = await open(directory);
    expect(await all(source.users())).toMatchObject([{ username: 'u' }]);
    expect(source.problems()).toEqual([]);
  });

  it('JSON files that are content of an object are not read as parts of the export.', async () => {
    const directory = await writeExport({
      '1.json': page('/a', { file: { blob_path: 'x.json', filename: 'x.json', 'content-type': 'application/json' } }),
      'blobs/x.json': page('/b'),
    });
    expect(await paths(directory)).toEqual(['/a']);
  });
});

describe('the root of an export without it', () => {
  it('Objects of a site whose id is Plone lie below the root, though none has the site as its parent.', async () => {
    const parent = { '@id': 'http://x/Plone/en', '@type': 'LRF' };
    const directory = await writeExport({
      '1.json': page('http://x/Plone/en/a', { parent }),
      '2.json': page('http://x/Plone/en/a/b', { parent: { '@id': 'http://x/Plone/en/a', '@type': 'Document' } }),
    });
    expect(await paths(directory)).toEqual(['/en/a', '/en/a/b']);
  });

  it('Objects in a folder that only begins like all of them stay there.', async () => {
    expect(await paths(await writeExport({ '1.json': page('/news/a'), '2.json': page('/news/b') }))).toEqual([
      '/news/a',
      '/news/b',
    ]);
  });

  it('The address of the root can be said.', async () => {
    const directory = await writeExport({ '1.json': page('/portal/a'), '2.json': page('/portal/b') });
    expect(await paths(directory, '/portal')).toEqual(['/a', '/b']);
    expect(await paths(directory)).toEqual(['/portal/a', '/portal/b']);
  });
});

it('An export of plone.exportimport is found in a folder of the one that is named.', async () => {
  const directory = await writeExport({
    'site/content/__metadata__.json': { _data_files_: ['u/data.json'] },
    'site/content/u/data.json': page('/Plone/a', { UID: 'u', parent: { '@id': '/Plone', '@type': 'Plone Site' } }),
    'site/principals.json': { members: [{ username: 'u' }], groups: [] },
  });
  const source = await open(directory);
  expect(source.format).toBe('plone.exportimport');
  expect(await all(source.users())).toMatchObject([{ username: 'u' }]);
  await rename(path.join(directory, 'site'), path.join(directory, 'export'));
  expect((await open(directory)).format).toBe('plone.exportimport');
});
