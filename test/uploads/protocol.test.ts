import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { create } from '../files/file-content.ts';
import { picture as paint } from '../images/pictures.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { checksum, metadata, TEXT_FILE, TUS, tusClient } from './tus.ts';

describeEachEngine('resumable uploads', (engine) => {
  const site = useTestSite(engine);
  const { open, send, head, begin, offset } = tusClient(site);
  const pathOf = (url: string | null) => String(url).slice(site.url.length);
  let folder: string;
  beforeAll(async () => {
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Uploads' })).path;
  });
  const newFolder = async () => (await create(site, folder, { '@type': 'Folder', title: 'Place' })).path;
  const partsOf = async (url: string) => {
    const hex = url.split('/').at(-1) ?? '';
    const names = await readdir(join(site.kernel.config.dataDir, 'blobs', 'uploads')).catch(() => []);
    return names.filter((name) => name.replaceAll('-', '') === hex);
  };

  it('OPTIONS tells version, extensions and limits, to anybody', async () => {
    const { status, headers } = await site.request('OPTIONS', `${folder}/@tus-upload`, { as: 'anonymous' });
    expect(status).toBe(204);
    expect(headers.get('tus-version')).toBe('1.0.0');
    expect(headers.get('tus-resumable')).toBe('1.0.0');
    expect(headers.get('tus-extension')).toBe('creation,creation-with-upload,expiration,checksum,termination');
    expect(headers.get('tus-max-size')).toBe(String(5120 * 1024 * 1024));
    expect(headers.get('tus-checksum-algorithm')).toBe('md5,sha1,sha256');
  });

  it('An upload in pieces creates the content with its last byte, and not before.', async () => {
    const place = await newFolder();
    const url = await begin(`${place}/@tus-upload`, 8);
    expect(url).toMatch(new RegExp(`^${site.url}${place}/@tus-upload/[0-9a-f]{32}$`));
    const first = await send(url, 0, 'abc');
    expect([first.status, first.headers.get('upload-offset'), first.headers.get('tus-resumable')]).toEqual([
      204,
      '3',
      '1.0.0',
    ]);
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const state = await head(url);
    expect(state.status).toBe(200);
    expect(Object.fromEntries(state.headers)).toMatchObject({
      'upload-offset': '3',
      'upload-length': '8',
      'upload-metadata': metadata(TEXT_FILE),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    expect((await site.request('GET', place)).body.items).toEqual([]);
    const second = await send(url, 3, 'd');
    expect(second.headers.get('upload-offset')).toBe('4');
    const last = await send(url, 4, 'efgh');
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '8']);
    const path = pathOf(last.headers.get('location'));
    const { body } = await site.request('GET', path);
    expect(body).toMatchObject({
      '@type': 'File',
      title: 'tus.txt',
      id: 'tus.txt',
      file: { filename: 'tus.txt', 'content-type': 'text/plain', size: 8 },
    });
    expect((await site.request('GET', `${path}/@@download/file`)).text).toBe('abcdefgh');
    const done = await head(url);
    expect([done.headers.get('upload-offset'), done.headers.get('location')]).toEqual(['8', site.url + path]);
    expect(await partsOf(url)).toEqual([]);
  });

  it('A body with the opening request counts, and all of it writes the content at once.', async () => {
    const headers = { 'Content-Type': 'application/offset+octet-stream' };
    const some = await open(`${folder}/@tus-upload`, 8, TEXT_FILE, { body: 'abc', headers });
    expect([some.status, some.headers.get('upload-offset')]).toEqual([201, '3']);
    expect(await offset(some.headers.get('location') ?? '')).toBe(3);
    const all = await open(`${folder}/@tus-upload`, 3, TEXT_FILE, { body: 'abc', headers });
    expect([all.status, all.headers.get('upload-offset')]).toEqual([201, '3']);
    const written = pathOf(all.headers.get('content-location'));
    expect((await site.request('GET', `${written}/@@download/file`)).text).toBe('abc');
  });

  it('A file without bytes is written when it is opened.', async () => {
    const { status, headers } = await open(`${folder}/@tus-upload`, 0, { filename: 'empty.bin' });
    expect(status).toBe(201);
    const { body } = await site.request('GET', pathOf(headers.get('content-location')));
    expect(body).toMatchObject({ '@type': 'File', file: { filename: 'empty.bin', size: 0 } });
    expect(await offset(headers.get('location') ?? '')).toBe(0);
  });

  it('The bytes decide the type, unless the metadata name one.', async () => {
    const picture = new Uint8Array(await paint(50, 40).png().toBuffer());
    const finish = async (values: Record<string, string>) => {
      const url = await begin(`${folder}/@tus-upload`, picture.length, values);
      const { headers } = await send(url, 0, picture);
      return (await site.request('GET', pathOf(headers.get('location')))).body;
    };
    const described = { filename: 'tus.png', 'content-type': 'image/png' };
    expect(await finish(described)).toMatchObject({ '@type': 'Image', image: { width: 50, height: 40 } });
    expect(await finish({ name: 'uppy.bin', filetype: '' })).toMatchObject({
      '@type': 'Image',
      image: { filename: 'uppy.bin' },
    });
    expect(await finish({ ...described, '@type': 'File' })).toMatchObject({
      '@type': 'File',
      file: { size: picture.length },
    });
  });

  it('@tus-replace takes the place of the file, with a version and under the lock.', async () => {
    const file = { data: 'b2xk', encoding: 'base64', filename: 'old.txt', 'content-type': 'text/plain' };
    const { path, UID } = await create(site, folder, { '@type': 'File', title: 'Kept title', file });
    const url = await begin(`${path}/@tus-replace`, 3, {});
    expect(url).toContain(`${path}/@tus-upload/`);
    const { body: lock } = await site.request('POST', `${path}/@lock`);
    const refused = await send(url, 0, 'new');
    expect([refused.status, refused.body.type]).toEqual([403, 'Forbidden']);
    expect(await offset(url)).toBe(0);
    const done = await send(url, 0, 'new', { headers: { 'Lock-Token': lock.token } });
    expect([done.status, done.headers.get('location')]).toEqual([204, site.url + path]);
    expect((await site.request('GET', path)).body).toMatchObject({
      UID,
      title: 'Kept title',
      file: { filename: 'old.txt', size: 3 },
    });
    expect((await site.request('GET', `${path}/@@download/file`)).text).toBe('new');
    expect((await site.request('GET', `${path}/@history`)).body.length).toBeGreaterThan(1);
  });

  it('Other protocol versions get 412, with the right one in the response.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    for (const version of [undefined, '0.2.2', '1.0'])
      for (const [method, path] of [
        ['POST', `${folder}/@tus-upload`],
        ['PATCH', url],
        ['GET', url],
        ['DELETE', url],
      ] as const) {
        const { status, headers, body } = await site.request(method, path, {
          headers: { 'Upload-Length': '8', ...(version === undefined ? {} : { 'Tus-Resumable': version }) },
        });
        expect([method, status, headers.get('tus-version'), headers.get('tus-resumable')]).toEqual([
          method,
          412,
          '1.0.0',
          '1.0.0',
        ]);
        expect(body.message).toContain('Tus-Resumable');
      }
    expect(await offset(url)).toBe(0);
  });

  it.each(['', '-1', '1.5', '1e3', '0x10', '99999999999999999999', 'many', ' '])(
    'The length "%s" is no number of bytes.',
    async (length) => {
      const { status, body } = await open(`${folder}/@tus-upload`, length);
      expect([status, body.type]).toEqual([400, 'BadRequest']);
      expect(body.message).toContain('Upload-Length');
    },
  );

  it.each([
    'filename !!!',
    'filename dGVzdA,filename dGVzdA',
    'filename dGVzdA more',
    ', ,',
    'filename gICA',
    'a=b dGVzdA, "x" ,',
  ])('The metadata "%s" are rejected.', async (value) => {
    const { status, body } = await site.request('POST', `${folder}/@tus-upload`, {
      headers: { ...TUS, 'Upload-Length': '8', 'Upload-Metadata': value },
    });
    expect(status).toBe(400);
    expect(body.message).toContain('Upload-Metadata');
  });

  it('Opening is refused for what cannot become content here.', async () => {
    const { path: page } = await create(site, folder, { '@type': 'Page', title: 'A page' });
    const refusals: [string, Record<string, string>, number][] = [
      [`${folder}/@tus-upload`, { '@type': 'No Such Type' }, 403],
      [`${folder}/@tus-upload`, { '@type': 'Site' }, 403],
      [`${folder}/@tus-upload`, { '@type': 'Link' }, 400],
      [`${folder}/@tus-upload`, { '@type': 'File', fieldname: 'title' }, 400],
      [`${folder}/@tus-upload`, { '@type': 'File', fieldname: '__proto__' }, 400],
      [`${page}/@tus-replace`, {}, 400],
      [`${folder}/@tus-replace`, { fieldname: 'image' }, 400],
      [`${folder}/no-such-page/@tus-upload`, {}, 404],
    ];
    for (const [path, values, expected] of refusals) {
      const { status, body } = await open(path, 8, values);
      expect([path, values, status]).toEqual([path, values, expected]);
      expect(body.message).not.toBe('');
    }
    const picture = new Uint8Array(await paint(20, 10).png().toBuffer());
    const url = await begin(`${page}/@tus-replace`, picture.length, {
      filename: 'lead.png',
      fieldname: 'preview_image',
    });
    expect((await send(url, 0, picture)).status).toBe(204);
    expect((await site.request('GET', page)).body.preview_image).toMatchObject({ filename: 'lead.png', width: 20 });
  });

  it('A wrong offset is 409 and stores nothing.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    await send(url, 0, 'abc');
    for (const at of [0, 2, 4, 8]) {
      const { status, headers, body } = await send(url, at, 'x');
      expect([at, status, headers.get('upload-offset'), body.type]).toEqual([at, 409, '3', 'Conflict']);
    }
    expect(await offset(url)).toBe(3);
    for (const at of ['-1', '', 'x', '1.5', '99999999999999999999']) {
      const { status, body } = await send(url, 0, 'x', { headers: { 'Upload-Offset': at } });
      expect([at, status]).toEqual([at, 400]);
      expect(body.message).toContain('Upload-Offset');
    }
    expect(await offset(url)).toBe(3);
  });

  it('A body of another type, a missing offset and more bytes than the file has are refused.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    const headers = { 'Content-Type': 'application/json' };
    expect((await send(url, 0, 'abc', { headers })).status).toBe(400);
    expect(
      (
        await site.request('PATCH', url, {
          body: 'abc',
          headers: { ...TUS, 'Content-Type': 'application/offset+octet-stream' },
        })
      ).status,
    ).toBe(400);
    expect((await send(url, 0, 'abcdefghi')).status).toBe(413);
    expect(await offset(url)).toBe(0);
  });

  it('Of two requests that go on at the same time one wins, and the content has its bytes.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = await newFolder();
      const url = await begin(`${place}/@tus-upload`, 6);
      const both = await Promise.all([send(url, 0, 'aaa'), send(url, 0, 'bbb')]);
      const statuses = both.map(({ status }) => status).sort();
      expect(statuses).toEqual([204, 409]);
      const ends = await Promise.all([send(url, 3, 'ccc'), send(url, 3, 'ddd')]);
      expect(ends.map(({ status }) => status).sort()).toEqual([204, 409]);
      const { body } = await site.request('GET', place);
      expect(body.items_total).toBe(1);
      const written = ends.find(({ status }) => status === 204);
      const path = pathOf(written?.headers.get('location') ?? '');
      const first = both[0]?.status === 204 ? 'aaa' : 'bbb';
      const second = ends[0]?.status === 204 ? 'ccc' : 'ddd';
      expect((await site.request('GET', `${path}/@@download/file`)).text).toBe(first + second);
    }
  });

  it('A checksum that does not fit is 460, and none of the bytes counts.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    for (const algorithm of ['sha1', 'sha256', 'md5']) {
      const { status, body } = await send(url, 0, 'abc', {
        headers: { 'Upload-Checksum': checksum(algorithm, 'abd') },
      });
      expect([status, body.type]).toEqual([460, 'ChecksumMismatch']);
    }
    for (const wrong of ['crc32 AAAA', 'sha1', 'sha1 !!', 'sha1 AAAA'])
      expect((await send(url, 0, 'abc', { headers: { 'Upload-Checksum': wrong } })).status).toBe(400);
    expect(await offset(url)).toBe(0);
    expect((await send(url, 0, 'abc', { headers: { 'Upload-Checksum': checksum('sha1', 'abc') } })).status).toBe(204);
    expect((await send(url, 3, 'defgh', { headers: { 'Upload-Checksum': checksum('sha256', 'abc') } })).status).toBe(
      460,
    );
    expect(await offset(url)).toBe(3);
    const last = await send(url, 3, 'defgh', { headers: { 'Upload-Checksum': checksum('md5', 'defgh') } });
    expect(last.status).toBe(204);
  });

  it('DELETE ends an upload; content that was made of one stays.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    await send(url, 0, 'abc');
    expect(await partsOf(url)).toHaveLength(1);
    expect((await site.request('DELETE', url, { headers: TUS })).status).toBe(204);
    expect(await partsOf(url)).toEqual([]);
    expect(await offset(url)).toBeUndefined();
    expect((await send(url, 3, 'x')).status).toBe(404);
    const whole = await begin(`${folder}/@tus-upload`, 1);
    const path = pathOf((await send(whole, 0, 'x')).headers.get('location'));
    expect((await site.request('DELETE', whole, { headers: TUS })).status).toBe(204);
    expect((await site.request('GET', path)).status).toBe(200);
  });

  it('POST with X-HTTP-Method-Override is PATCH; without it the upload takes no POST.', async () => {
    const url = await begin(`${folder}/@tus-upload`, 8);
    const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    expect((await site.request('POST', url, { body: 'abc', headers })).status).toBe(405);
    const overriding = { ...headers, 'X-HTTP-Method-Override': 'PATCH' };
    expect((await site.request('POST', url, { body: 'abc', headers: overriding })).status).toBe(204);
    expect(await offset(url)).toBe(3);
  });

  it.each(['0'.repeat(32), 'x', '__proto__', `${'0'.repeat(31)}g`])('The upload "%s" is not there.', async (id) => {
    const url = `${folder}/@tus-upload/${id}`;
    expect((await head(url)).status).toBe(404);
    expect((await send(url, 0, 'x')).status).toBe(404);
    expect((await site.request('DELETE', url, { headers: TUS })).status).toBe(404);
  });

  it('An upload is found only where it was opened, also when that is moved.', async () => {
    const [place, other] = [await newFolder(), await newFolder()];
    const url = await begin(`${place}/@tus-upload`, 6);
    await send(url, 0, 'abc');
    const id = url.split('/').at(-1);
    expect(await offset(`${other}/@tus-upload/${id}`)).toBeUndefined();
    const [{ target }] = (await site.request('POST', `${other}/@move`, { json: { source: place } })).body;
    expect(await offset(`${target}/@tus-upload/${id}`)).toBe(3);
    const done = await send(`${target}/@tus-upload/${id}`, 3, 'def');
    expect(done.headers.get('location')).toBe(`${target}/tus.txt`);
  });
});
