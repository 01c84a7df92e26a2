import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tokenOf } from '../content/people.ts';
import { photo } from '../images/pictures.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';
import { create, publish, upload } from './file-content.ts';

describeEachEngine('cached pictures', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let image: Json & { path: string };
  let preview: string;

  beforeAll(async () => {
    site = await startTestSite(engine, {
      // Without rows in memory, so that a response that is not cached runs its statements again.
      environment: { ROW_CACHE_MB: '0' },
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    const photograph = upload(await photo(500, 400), 'photo.jpg', 'image/jpeg');
    image = await create(site, '/', { '@type': 'Image', title: 'Photo', image: photograph });
    preview = image.image.scales.preview.download;
  });
  afterAll(() => site?.close());

  const get = (path: string, headers: Record<string, string> = {}, as: Who = 'anonymous') =>
    site.request('GET', path, { as, headers });
  const change = async (json: Json) => expect((await site.request('PATCH', image.path, { json })).status).toBe(204);
  /** The response when nothing but the confirmation of the cache was asked for it; undefined if it was made anew. */
  async function cached(path: string, headers: Record<string, string> = {}, as: Who = 'anonymous') {
    const open = vi.spyOn(site.kernel.blobs, 'openDerived');
    let response: Exchange | undefined;
    const statements = await database.during(async () => {
      response = await get(path, headers, as);
    });
    const files = open.mock.calls.length;
    open.mockRestore();
    return statements.every((name) => name === 'site-poll') && files === 0 ? response : undefined;
  }
  /** Asks until the response is of the present version. */
  async function warm(path: string, headers: Record<string, string> = {}, as: Who = 'anonymous'): Promise<Exchange> {
    await get(path, headers, as);
    return get(path, headers, as);
  }
  const headersOf = ({ headers }: Exchange): string[] => [...headers.keys()].filter((name) => name !== 'x-request-id');

  it('a scale is sent again from memory, with the same headers', async () => {
    const made = await get(preview, { Accept: '*/*' });
    await warm(preview, { Accept: '*/*' });
    const again = await cached(preview, { Accept: '*/*' });
    expect(again?.bytes.equals(made.bytes)).toBe(true);
    expect(again && headersOf(again)).toEqual(headersOf(made));
    for (const name of [
      'etag',
      'cache-control',
      'content-type',
      'content-disposition',
      'vary',
      'accept-ranges',
      'link',
    ])
      expect([name, again?.headers.get(name)]).toEqual([name, made.headers.get(name)]);
    expect(again?.headers.get('vary')).not.toContain('Cookie');
    const head = await site.request('HEAD', preview, { as: 'anonymous', headers: { Accept: '*/*' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(made.bytes.length)]);
  });

  it('each format is cached for the clients that take it', async () => {
    for (const [accept, type] of [
      ['*/*', 'image/jpeg'],
      ['image/webp', 'image/webp'],
      ['image/avif,image/webp,*/*', 'image/avif'],
    ] as const) {
      await warm(preview, { Accept: accept });
      expect((await cached(preview, { Accept: accept }))?.headers.get('content-type')).toBe(type);
    }
    expect((await cached(preview, { Accept: 'image/webp;q=0.5, text/*' }))?.headers.get('content-type')).toBe(
      'image/webp',
    );
  });

  it('a part is a part, and who has the picture gets no bytes', async () => {
    const { bytes, headers } = await warm(preview, { Accept: '*/*' });
    const part = await get(preview, { Accept: '*/*', Range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true);
    const known = await cached(preview, { Accept: '*/*', 'If-None-Match': headers.get('etag') ?? '' });
    expect([known?.status, known?.bytes.length, known?.headers.get('content-length')]).toEqual([304, 0, null]);
    expect((await get(preview, { Accept: '*/*', Range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  it('another picture, other rights and another quality are seen at once', async () => {
    const named = `${image.path}/@@images/image/preview`;
    const before = await warm(named, { Accept: 'image/webp' });
    const tagBefore = before.headers.get('etag');
    await site.request('PATCH', '/@controlpanels/imaging', { json: { quality_webp: 12 } });
    const rough = await get(named, { Accept: 'image/webp' });
    expect(rough.bytes.length).toBeLessThan(before.bytes.length);
    await change({ image: upload(await photo(500, 400, { mean: 90 }), 'other.jpg', 'image/jpeg') });
    const other = await get(named, { Accept: 'image/webp' });
    expect(new Set([tagBefore, rough.headers.get('etag'), other.headers.get('etag')]).size).toBe(3);
    expect((await get(preview)).status).toBe(404);
    preview = (await site.request('GET', image.path)).body.image.scales.preview.download;
    const folder = await create(site, '/', { '@type': 'Folder', title: 'Private' });
    const data = upload(await photo(500, 400), 'photo.jpg', 'image/jpeg');
    const hidden = await create(site, folder.path, { '@type': 'Image', title: 'Hidden', image: data });
    const address = `${hidden.path}/@@images/image/preview`;
    const admin = await tokenOf(site, 'admin');
    expect((await warm(address, {}, admin)).status).toBe(200);
    expect((await cached(address, {}, admin))?.headers.get('cache-control')).toContain('private');
    expect((await get(address)).status).toBe(401);
    await publish(site, folder.path);
    expect((await warm(address)).status).toBe(200);
    expect((await cached(address))?.headers.get('cache-control')).toContain('public');
    await site.request('POST', `${folder.path}/@workflow/retract`, { json: {} });
    expect((await get(address)).status).toBe(401);
  });

  it('a picture that expires says each time how long others may keep it', async () => {
    const configure = (json: Json) => site.request('PATCH', '/@controlpanels/publishing', { json });
    expect((await configure({ hide_inactive_content: true })).status).toBe(204);
    await change({ expires: new Date(Date.now() + 3_600_000).toISOString() });
    const { headers } = await warm(preview, { Accept: '*/*' });
    expect(Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1])).toBeLessThanOrEqual(3600);
    expect(await cached(preview, { Accept: '*/*' })).toBeUndefined();
    await configure({ hide_inactive_content: false });
    await warm(preview, { Accept: '*/*' });
    expect(await cached(preview, { Accept: '*/*' })).toBeDefined();
  });

  it('large pictures are streamed each time', async () => {
    const data = upload(await photo(1800, 1800), 'large.jpg', 'image/jpeg');
    const large = await create(site, '/', { '@type': 'Image', title: 'Large', image: data });
    const address = `${large.path}/@@images/image/huge`;
    expect((await warm(address, { Accept: '*/*' })).bytes.length).toBeGreaterThan(128 * 1024);
    expect(await cached(address, { Accept: '*/*' })).toBeUndefined();
  });
});
