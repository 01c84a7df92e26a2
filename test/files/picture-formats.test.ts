import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { photo } from '../images/pictures.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { create, disposition, upload } from './file-content.ts';

const BROWSER = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8';

describeEachEngine('formats of pictures', (engine) => {
  let site: TestSite;
  let image: Json & { path: string };
  beforeAll(async () => {
    site = await startTestSite(engine);
    image = await createImage(await photo(500, 400), 'photo.jpg', 'image/jpeg');
  });
  afterAll(() => site?.close());

  const configure = async (settings: Json) =>
    expect((await site.request('PATCH', '/@controlpanels/imaging', { json: settings })).status).toBe(204);

  const createImage = (data: Uint8Array | string, name: string, type: string) =>
    create(site, '/', { '@type': 'Image', title: name, image: upload(data, name, type) });
  const get = (path: string, Accept: string, headers: Record<string, string> = {}) =>
    site.request('GET', path, { headers: { Accept, ...headers } });
  const typeOf = async (path: string, accept: string) => (await get(path, accept)).headers.get('content-type');

  it('scales have a smaller format that the client accepts by name, and say so to caches', async () => {
    const address = image.image.scales.preview.download;
    const own = await get(address, '*/*');
    expect([own.headers.get('content-type'), own.headers.get('vary')]).toEqual([
      'image/jpeg',
      expect.stringContaining('Accept'),
    ]);
    const tags = [own.headers.get('etag')];
    for (const type of ['image/webp', 'image/avif']) {
      const answer = await get(address, `${type},*/*`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.bytes.length).toBeLessThan(own.bytes.length);
      expect((await sharp(answer.bytes).metadata()).width).toBe(400);
      expect(disposition(answer)).toContain(`filename="photo.${type.slice('image/'.length)}"`);
      expect(disposition(answer)).toMatch(/^inline/);
      tags.push(answer.headers.get('etag'));
    }
    expect(new Set(tags).size).toBe(3);
    expect(await typeOf(address, BROWSER)).toBe('image/avif');
    expect(await typeOf(address, 'image/*')).toBe('image/jpeg');
    expect(await typeOf(address, 'image/avif;q=0, image/webp')).toBe('image/webp');
  });

  it('each format of a scale has an entity tag of its own', async () => {
    const address = `${image.path}/@@images/image/preview`;
    const etag = (await get(address, 'image/webp')).headers.get('etag') ?? '';
    const again = await get(address, 'image/webp', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('etag'), again.headers.get('vary')]).toEqual([
      304,
      etag,
      expect.stringContaining('Accept'),
    ]);
    expect((await get(address, '*/*', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('originals, GIF pictures and drawings keep their format', async () => {
    expect(await typeOf(image.image.download, BROWSER)).toBe('image/jpeg');
    const gif = await createImage(await photo(500, 100, { format: 'gif' }), 'a.gif', 'image/gif');
    const answer = await get(`${gif.path}/@@images/image/preview`, BROWSER);
    expect([answer.headers.get('content-type'), answer.headers.get('vary') ?? '']).toEqual([
      'image/gif',
      expect.not.stringMatching(/Accept(?!-)/),
    ]);
    const svg = await createImage(
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="9"/>',
      'a.svg',
      'image/svg+xml',
    );
    expect(await typeOf(`${svg.path}/@@images/image/preview`, BROWSER)).toBe('image/svg+xml');
  });

  it('the panel says which formats are used, and their quality', async () => {
    const address = `${image.path}/@@images/image/preview`;
    await configure({ smaller_formats: ['image/webp'], quality_webp: 10 });
    const rough = await get(address, BROWSER);
    expect(rough.headers.get('content-type')).toBe('image/webp');
    await configure({ smaller_formats: ['image/webp'], quality_webp: 70 });
    const fine = await get(address, BROWSER);
    expect(fine.bytes.length).toBeGreaterThan(rough.bytes.length);
    expect(fine.headers.get('etag')).not.toBe(rough.headers.get('etag'));
    await configure({ smaller_formats: [] });
    const off = await get(address, BROWSER);
    expect([off.headers.get('content-type'), off.headers.get('vary') ?? '']).toEqual([
      'image/jpeg',
      expect.not.stringMatching(/Accept(?!-)/),
    ]);
    await configure({ smaller_formats: ['image/avif', 'image/webp'], quality_webp: 80, requested_widths: [] });
  });

  it('requests can name the widths and formats that the site has configured, and no others', async () => {
    await configure({ requested_widths: ['333'], smaller_formats: ['image/webp'] });
    const field = `${image.path}/@@images/image`;
    const widthOf = async (query: string) =>
      (await sharp((await get(`${field}${query}`, '*/*')).bytes).metadata()).width;
    expect(await widthOf('?width=333')).toBe(333);
    expect(await widthOf('?width=400')).toBe(400);
    expect(await typeOf(`${field}?width=333&format=webp`, '*/*')).toBe('image/webp');
    expect(await typeOf(`${field}/thumb?format=jpeg`, BROWSER)).toBe('image/jpeg');
    expect(await typeOf(`${field}/huge?format=webp`, '*/*')).toBe('image/webp');
    for (const [query, message] of [
      ['?width=334', 'Pictures of the width 334 are not configured'],
      ['?width=0', 'width'],
      ['?width=x', 'width'],
      ['?format=webp', 'A format needs a scale'],
      ['/thumb?width=333', 'names a scale already'],
      ['/thumb?format=avif', 'The format must be one of jpeg, webp here.'],
      ['/thumb?format=png', 'The format must be one of jpeg, webp here.'],
      ['/thumb?format=bmp', 'format'],
    ] as const) {
      const { status, text } = await get(`${field}${query}`, '*/*');
      expect([query, status, text]).toEqual([query, 400, expect.stringContaining(message)]);
    }
    expect((await get(`${image.image.scales.mini.download}?format=webp`, '*/*')).status).toBe(400);
    await configure({ smaller_formats: ['image/avif', 'image/webp'], quality_webp: 80, requested_widths: [] });
  });
});
