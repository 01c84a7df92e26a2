import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { create, disposition, publish, upload } from './file-content.ts';

const TEXT = 'Line one\nLine two\nLine three\n';
const SCRIPT = '<script>alert(1)</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;

describeEachEngine('downloads', (engine) => {
  let site: TestSite;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    site = await startTestSite(engine);
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Files' })).path;
    await publish(site, folder);
    file = await createFile(TEXT, 'notes.txt', 'text/plain');
  });
  afterAll(() => site?.close());

  async function createFile(data: string, filename: string, type: string, container = folder): Promise<string> {
    return (await create(site, container, { '@type': 'File', title: 'A file', file: upload(data, filename, type) }))
      .path;
  }
  const get = (path: string, headers: Record<string, string> = {}, as: 'admin' | 'anonymous' = 'admin') =>
    site.request('GET', path, { as, headers: { Accept: '*/*', ...headers } });

  it('a download sends the stored bytes as an attachment with type, length, canonical address and entity tag', async () => {
    const answer = await get(`${file}/@@download/file`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(TEXT);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('content-length')).toBe(String(TEXT.length));
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('link')).toBe(`<${site.url}${file}/@@download/file>; rel="canonical"`);
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
    expect(disposition(answer)).toMatch(/^attachment; filename="notes\.txt"/);
  });

  it('texts in UTF-8 say so, and other texts leave the charset to the browser', async () => {
    const long = `${'a'.repeat(65_535)}ü${'b'.repeat(10)}`;
    const files: [type: string, data: string | Buffer, sent: string][] = [
      ['text/plain', 'Grüße', 'text/plain; charset=utf-8'],
      ['text/plain; charset=iso-8859-1', 'Grüße', 'text/plain; charset=utf-8'],
      ['text/plain', long, 'text/plain; charset=utf-8'],
      ['text/csv', 'ä;ö', 'text/csv; charset=utf-8'],
      ['text/html', '<p>ü', 'text/html; charset=utf-8'],
      ['text/plain', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain'],
      ['text/plain', Buffer.from('\xc3', 'latin1'), 'text/plain'],
      ['application/json', '{"ü": 1}', 'application/json'],
      ['application/pdf', '%PDF-1.4', 'application/pdf'],
    ];
    for (const [type, data, sent] of files) {
      const sending = { '@type': 'File', title: 'A text', file: upload(data, 'text', type) };
      const { path } = await create(site, folder, sending);
      for (const service of ['@@download', '@@display-file', '@@videos']) {
        const answer = await get(`${path}/${service}/file`);
        expect([answer.headers.get('content-type'), answer.bytes.equals(Buffer.from(data))]).toEqual([sent, true]);
      }
    }
  });

  it('an address without a field leads to the file that the content is made of', async () => {
    for (const service of ['@@download', '@@display-file']) {
      const answer = await get(`${file}/${service}`);
      expect([answer.status, answer.text]).toEqual([200, TEXT]);
      expect(answer.headers.get('link')).toBe(`<${site.url}${file}/@@download/file>; rel="canonical"`);
      expect((await get(`${folder}/${service}`)).status).toBe(404);
    }
    const picture = upload(SVG, 'x.svg', 'image/svg+xml');
    const image = await create(site, folder, { '@type': 'Image', title: 'Picture', image: picture });
    expect((await get(`${image.path}/@@download`)).text).toBe(SVG);
    const lead = await create(site, folder, { '@type': 'News Item', title: 'News', image: picture });
    expect((await get(`${lead.path}/@@download`)).status).toBe(404);
  });

  it('a download is inline only for disposition=inline', async () => {
    expect(disposition(await get(`${file}/@@download/file?disposition=inline`))).toMatch(
      /^inline; filename="notes\.txt"/,
    );
    expect(disposition(await get(`${file}/@@download/file?disposition=INLINE`))).toMatch(/^attachment/);
  });

  it('a download does not take the file name from the address', async () => {
    expect(disposition(await get(`${file}/@@download/file/setup.exe`))).toMatch(/^attachment; filename="notes\.txt"/);
  });

  it('a download returns 404 for unknown fields, fields without a file and an empty name', async () => {
    for (const name of ['no_such_field', 'title', '__proto__', 'constructor', '%20', 'file/notes.txt/more']) {
      const { status, body } = await get(`${file}/@@download/${name}`);
      expect([name, status]).toEqual([name, 404]);
      expect(body.type).toBe('NotFound');
    }
  });

  it('a download sends parts, and 416 for a range outside of the file', async () => {
    for (const [range, from, to] of [
      ['bytes=5-9', 5, 9],
      ['bytes=20-', 20, TEXT.length - 1],
      ['bytes=-4', TEXT.length - 4, TEXT.length - 1],
    ] as const) {
      const part = await get(`${file}/@@download/file`, { Range: range });
      expect(part.status).toBe(206);
      expect(part.text).toBe(TEXT.slice(from, to + 1));
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${TEXT.length}`);
    }
    const outside = await get(`${file}/@@download/file`, { Range: 'bytes=900-' });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe(`bytes */${TEXT.length}`);
    expect((await get(`${file}/@@download/file`, { Range: 'bytes=0-1,3-4' })).text).toBe(TEXT);
  });

  it('a download sends the whole file when If-Range names other bytes', async () => {
    const etag = (await get(`${file}/@@download/file`)).headers.get('etag') ?? '';
    const of = (condition: string) => get(`${file}/@@download/file`, { Range: 'bytes=0-3', 'If-Range': condition });
    expect((await of(etag)).status).toBe(206);
    for (const condition of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      const answer = await of(condition);
      expect([answer.status, answer.text]).toEqual([200, TEXT]);
    }
  });

  it('a download returns 304 to a client that has the bytes', async () => {
    const etag = (await get(`${file}/@@download/file`)).headers.get('etag') ?? '';
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get(`${file}/@@download/file`, { 'If-None-Match': condition });
      expect([condition, answer.status, answer.text]).toEqual([condition, 304, '']);
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect((await get(`${file}/@@download/file`, { 'If-None-Match': '"x"' })).status).toBe(200);
  });

  it('HEAD of a download returns the headers of GET and no body', async () => {
    const answer = await site.request('HEAD', `${file}/@@download/file`);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-length')).toBe(String(TEXT.length));
    expect(disposition(answer)).toMatch(/notes\.txt/);
  });

  it('a download is never inline for types that can run code, whatever the request and the declared type say', async () => {
    for (const [name, type, data] of [
      ['page.html', 'text/html', SCRIPT],
      ['page.txt', 'text/plain', `<html>${SCRIPT}</html>`],
      ['x.svg', 'image/svg+xml', SVG],
      ['x.png', 'image/png', SVG],
      ['x.xhtml', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`],
    ] as const) {
      const path = await createFile(data, name, type);
      for (const address of [`${path}/@@download/file?disposition=inline`, `${path}/@@display-file/file`]) {
        const answer = await get(address);
        expect(answer.text).toBe(data);
        expect(disposition(answer), address).toMatch(/^attachment/);
        expect(answer.headers.get('content-security-policy')).toMatch(/sandbox$/);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
  });

  it('@@display-file shows files of harmless types', async () => {
    const answer = await get(`${file}/@@display-file/file/notes.txt`);
    expect([answer.status, answer.text]).toEqual([200, TEXT]);
    expect(disposition(answer)).toMatch(/^inline; filename="notes\.txt"/);
  });

  it('hostile file names of downloads cannot leave their header', async () => {
    const path = await createFile('x', 'a"; filename=evil.exe\r\nX: y ü.txt', 'text/plain');
    const answer = await get(`${path}/@@download/file`);
    expect(disposition(answer)).toMatch(
      /^attachment; filename="a_; filename=evil\.exeX: y u\.txt"; filename\*=UTF-8''[\w.%-]+$/,
    );
    expect(answer.headers.get('x')).toBeNull();
  });

  it('a download with a file name that is cut within a character works', async () => {
    const path = await createFile('x', `${'a'.repeat(254)}😀.txt`, 'text/plain');
    expect((await get(`${path}/@@download/file`)).text).toBe('x');
  });

  it('downloads of private content are private, in caches as well', async () => {
    const closed = (await create(site, '/', { '@type': 'Folder', title: 'Closed' })).path;
    const secret = await createFile('top secret', 'secret.txt', 'text/plain', closed);
    const refused = await get(`${secret}/@@download/file`, {}, 'anonymous');
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('top secret');
    expect((await get(`${secret}/@@download/file`)).headers.get('cache-control')).toBe('private, no-cache');
    const open = await get(`${file}/@@download/file`, {}, 'anonymous');
    expect([open.status, open.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  });

  it('a file in a field that the caller may not read cannot be downloaded', async () => {
    const current = await site.kernel.sites.current();
    const definition = current.types.get('File');
    if (!definition?.properties.file) throw new Error('There is no type File');
    const { fields, fieldByName, folderish, behaviorNames, ...data } = definition;
    const properties = { file: { ...definition.properties.file, read_permission: 'cmf.ManagePortal' } };
    const row = { kind: KINDS.type, id: 'Guarded', position: 99, data: { ...data, id: 'Guarded', properties } };
    await site.kernel.db.transaction((tx) => writeConfiguration(tx, [row]));
    const json = { '@type': 'Guarded', title: 'Guarded', file: upload('for managers', 'm.txt', 'text/plain') };
    const { path } = await create(site, folder, json);
    const answer = await get(`${path}/@@download/file`);
    expect([answer.text, answer.headers.get('cache-control')]).toEqual(['for managers', 'private, no-cache']);
    expect((await get(`${path}/@@download/file`, {}, 'anonymous')).status).toBe(404);
  });

  it('a download returns a bare 500 when the store has lost the bytes', async () => {
    const path = await createFile('soon gone', 'gone.txt', 'text/plain');
    const etag = (await get(`${path}/@@download/file`)).headers.get('etag') ?? '';
    await site.kernel.blobs.remove(etag.slice(1, -1));
    const answer = await get(`${path}/@@download/file`);
    expect([answer.status, answer.body.type]).toEqual([500, 'InternalServerError']);
    expect(answer.text).not.toContain(etag.slice(1, -1));
  });
});
