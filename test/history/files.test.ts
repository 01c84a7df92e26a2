import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { contentOf } from './history-site.ts';

const upload = (bytes: Uint8Array, filename: string, contentType: string) => ({
  data: Buffer.from(bytes).toString('base64'),
  encoding: 'base64',
  filename,
  'content-type': contentType,
});

describeEachEngine('files of former versions', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, edit, addUser, read, go } = contentOf(() => site);

  it('a version serves the files it had, only to those who may read versions, and not to shared caches', async () => {
    const folder = await add('/', { '@type': 'Folder' });
    await go(folder, 'publish');
    const text = (words: string) => upload(Buffer.from(words), 'a.txt', 'text/plain');
    const file = await add(folder, { '@type': 'File', title: 'F', file: text('old words') });
    await edit(file, { file: text('new words') });
    const { download } = (await read(`${file}/@history/0`)).file;
    const old = await site.request('GET', download);
    expect([old.status, old.text]).toEqual([200, 'old words']);
    expect(old.headers.get('cache-control')).toMatch(/^private/);
    expect((await site.request('GET', (await read(file)).file.download)).text).toBe('new words');
    expect((await site.request('GET', download, { as: 'anonymous' })).status).toBe(401);
    expect((await site.request('GET', download, { as: await addUser(['Reader']) })).status).toBe(403);
    expect((await site.request('GET', download.replace('version=0', 'version=7'))).status).toBe(404);
    const reviewer = await addUser(['Reviewer']);
    expect((await read(`${file}/@history/0`, reviewer)).targetUrl).toBe(download);
    const { items } = await read(`${file}/@history/0/diff/1`);
    expect(items).toMatchObject([
      { name: 'file', from: { download }, to: { download: expect.stringContaining('version=1') } },
    ]);
    await site.request('PATCH', `${file}/@history`, { json: { version: 0 } });
    expect((await site.request('GET', `${file}/@@download/file`)).text).toBe('old words');
  });

  it('a version serves the images it had with their scales', async () => {
    const picture = (background: string) =>
      sharp({ create: { width: 600, height: 300, channels: 3, background } })
        .png()
        .toBuffer();
    const image = await add('/', {
      '@type': 'Image',
      title: 'I',
      image: upload(await picture('red'), 'i.png', 'image/png'),
    });
    await edit(image, { image: upload(await picture('blue'), 'i.png', 'image/png') });
    const { download, scales } = (await read(`${image}/@history/0`)).image;
    for (const address of [download, scales.preview.download]) {
      const { status, bytes } = await site.request('GET', address);
      expect(status, address).toBe(200);
      const { dominant } = await sharp(bytes).stats();
      expect(dominant.r).toBeGreaterThan(dominant.b);
      expect((await site.request('GET', address.replace('?version=0', ''))).status).toBe(404);
    }
  });
});
