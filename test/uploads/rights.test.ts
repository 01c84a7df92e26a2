import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { addPerson } from '../content/people.ts';
import { create } from '../files/file-content.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { metadata, TEXT_FILE, TUS, tusClient } from './tus.ts';

describeEachEngine('rights and limits of resumable uploads', (engine) => {
  const site = useTestSite(engine);
  const { open, send, head, begin, offset } = tusClient(site);
  let folder: string;
  let anna: Who;
  let bert: Who;
  beforeAll(async () => {
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Uploads' })).path;
    anna = await addPerson(site, { id: 'anna', roles: ['Member'] });
    bert = await addPerson(site, { id: 'bert', roles: ['Member', 'Contributor'] });
  });
  const share = (path: string, id: string, roles: Record<string, boolean>) =>
    site.request('POST', `${path}/@sharing`, { json: { entries: [{ id, type: 'user', roles }] } });
  const newFolder = async () => {
    const { path } = await create(site, folder, { '@type': 'Folder', title: 'Place' });
    expect((await share(path, 'anna', { Contributor: true, Reader: true })).status).toBe(204);
    return path;
  };
  const itemsOf = async (path: string) => (await site.request('GET', path)).body.items_total;
  const expire = (url: string) =>
    site.kernel.db.query({
      text: `update upload set expires = now() - interval '1 second' where replace(id::text, '-', '') = $1`,
      values: [url.split('/').at(-1)],
    });
  const configure = (data: Record<string, unknown>) =>
    writeConfiguration(site.kernel.db, [{ kind: KINDS.setting, id: 'uploads', position: 0, data }]);

  it('Only who may add content may open an upload, and has to be logged in.', async () => {
    const place = await newFolder();
    const carl = await addPerson(site, { id: `carl-${place}`, roles: ['Member'] });
    expect((await open(`${place}/@tus-upload`, 8, TEXT_FILE, { as: 'anonymous' })).status).toBe(401);
    expect((await open(`${place}/@tus-upload`, 8, TEXT_FILE, { as: carl })).status).toBe(403);
    expect((await open(`${place}/@tus-replace`, 8, { fieldname: 'title' }, { as: anna })).status).toBe(403);
    expect((await open(`${place}/@tus-upload`, 8, TEXT_FILE, { as: anna })).status).toBe(201);
  });

  it('Only who has opened an upload may go on with it, whatever others may do.', async () => {
    const place = await newFolder();
    const url = await begin(`${place}/@tus-upload`, 8, TEXT_FILE, { as: anna });
    for (const as of [bert, 'admin'] as const) {
      expect((await send(url, 0, 'abc', { as })).status).toBe(403);
      expect((await head(url, { as })).status).toBe(403);
      expect((await site.request('DELETE', url, { as, headers: TUS })).status).toBe(403);
    }
    expect((await send(url, 0, 'abc', { as: 'anonymous' })).status).toBe(401);
    expect((await send(url, 0, 'abc', { as: anna })).status).toBe(204);
  });

  it('A right that is lost meanwhile ends the upload at the next request, and one that comes back lets it go on.', async () => {
    const place = await newFolder();
    const url = await begin(`${place}/@tus-upload`, 8, TEXT_FILE, { as: anna });
    await send(url, 0, 'abc', { as: anna });
    await share(place, 'anna', { Contributor: false, Reader: true });
    expect((await send(url, 3, 'defgh', { as: anna })).status).toBe(403);
    expect((await head(url, { as: anna })).status).toBe(403);
    expect(await itemsOf(place)).toBe(0);
    await share(place, 'anna', { Contributor: true });
    expect((await send(url, 3, 'defgh', { as: anna })).status).toBe(204);
    expect(await itemsOf(place)).toBe(1);
  });

  it('A type that may not be added any more is refused with the last byte, which may be sent again.', async () => {
    const place = await newFolder();
    const url = await begin(`${place}/@tus-upload`, 8, { ...TEXT_FILE, '@type': 'File' }, { as: anna });
    await send(url, 0, 'abc', { as: anna });
    const constrain = (types: string[]) =>
      site.kernel.db.query({
        text: 'update content set constrains = $2 where path = $1',
        values: [place, JSON.stringify({ locally_allowed: types, immediately_addable: types, mode: 1 })],
      });
    await constrain(['Page']);
    const refused = await send(url, 3, 'defgh', { as: anna });
    expect([refused.status, refused.body.message]).toEqual([403, '"File" may not be added to a Folder here.']);
    expect((await head(url, { as: anna })).headers.get('upload-offset')).toBe('3');
    expect(await itemsOf(place)).toBe(0);
    await constrain(['File']);
    const again = await send(url, 3, 'de', { as: anna });
    expect([again.status, again.headers.get('upload-offset')]).toEqual([204, '5']);
    const done = await send(url, 5, 'fgh', { as: anna });
    expect(done.status).toBe(204);
    const path = String(done.headers.get('location')).slice(site.url.length);
    expect((await site.request('GET', `${path}/@@download/file`)).text).toBe('abcdefgh');
  });

  it('With its container the upload is gone.', async () => {
    const place = await newFolder();
    const url = await begin(`${place}/@tus-upload`, 8);
    await send(url, 0, 'abc');
    expect((await site.request('DELETE', place)).status).toBe(204);
    expect((await send(url, 3, 'defgh')).status).toBe(404);
    const other = await create(site, folder, { '@type': 'Folder', id: place.split('/').at(-1), title: 'Another' });
    expect(other.path).toBe(place);
    expect((await send(url, 3, 'defgh')).status).toBe(404);
    expect(await itemsOf(place)).toBe(0);
  });

  it('The owner is looked up again with the last byte: a role that was taken away while bytes came does not count.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8, TEXT_FILE, { as: bert });
    async function* slow() {
      yield Buffer.from('abc');
      await site.kernel.db.query({ text: `update account set roles = '{Member}' where id = 'bert'` });
      yield Buffer.from('defgh');
    }
    const { token } = bert as { token: string };
    const response = await fetch(url, {
      method: 'PATCH',
      headers: {
        ...TUS,
        Authorization: `Bearer ${token}`,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: ReadableStream.from(slow()),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(403);
    await site.kernel.db.query({ text: `update account set roles = '{Member,Contributor}' where id = 'bert'` });
  });

  it('An expired upload is not there, and its parts are removed, as are parts of no upload.', async () => {
    const [old, young] = [await begin(`${folder}/@tus-upload`, 8), await begin(`${folder}/@tus-upload`, 8)];
    for (const url of [old, young]) await send(url, 0, 'abc');
    await expire(old);
    expect(await offset(old)).toBeUndefined();
    expect((await send(old, 3, 'x')).status).toBe(404);
    const action = site.kernel.jobActions.get('remove-uploads');
    const result = await action?.run({
      kernel: site.kernel,
      params: {},
      caller: { id: null } as never,
      signal: new AbortController().signal,
      progress: () => {},
      step: () => Promise.reject(new Error('The action has no steps')),
    });
    expect(result).toEqual({ expired: 1, unknown: 0 });
    expect(await offset(young)).toBe(3);
    expect((await send(young, 3, 'defgh')).status).toBe(204);
  });

  it('Metadata come back as they were sent, whatever their keys.', async () => {
    const values = { filename: 'ä €.txt', 'is-ok': '', relativePath: 'null' };
    const url = await begin(`${folder}/@tus-upload`, 1, values);
    expect((await head(url)).headers.get('upload-metadata')).toBe(metadata(values));
    const done = await send(url, 0, 'x');
    const { body } = await site.request('GET', String(done.headers.get('location')));
    expect(body.file.filename).toBe('ä €.txt');
  });

  describe('with settings of the site', () => {
    it('Files beyond the limit get 413, and OPTIONS tells the limit.', async () => {
      await configure({ max_size: 1 });
      const { headers } = await site.request('OPTIONS', '/@tus-upload');
      expect(headers.get('tus-max-size')).toBe(String(1024 * 1024));
      expect((await open(`${folder}/@tus-upload`, 1024 * 1024 + 1)).status).toBe(413);
      expect((await open(`${folder}/@tus-upload`, 1024 * 1024)).status).toBe(201);
    });

    it('A user has no more open uploads, and no larger ones, than the site allows.', async () => {
      const dora = await addPerson(site, { id: 'dora', roles: ['Member', 'Contributor'] });
      await configure({ max_open: 2, max_open_size: 1 });
      const first = await begin(`${folder}/@tus-upload`, 8, TEXT_FILE, { as: dora });
      expect((await open(`${folder}/@tus-upload`, 1024 * 1024, TEXT_FILE, { as: dora })).status).toBe(413);
      await begin(`${folder}/@tus-upload`, 8, TEXT_FILE, { as: dora });
      const third = await open(`${folder}/@tus-upload`, 8, TEXT_FILE, { as: dora });
      expect([third.status, third.headers.get('retry-after')]).toEqual([429, '60']);
      await site.request('DELETE', first, { as: dora, headers: TUS });
      await begin(`${folder}/@tus-upload`, 8, TEXT_FILE, { as: dora });
    });
  });
});
