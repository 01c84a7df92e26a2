import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { create, disposition, publish, upload } from './file-content.ts';

const picture = (width: number, height: number, format: 'png' | 'tiff' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#385' } })
    .toFormat(format)
    .toBuffer();

describeEachEngine('images', (engine) => {
  let site: TestSite;
  let folder: string;
  let bytes: Buffer;
  let image: Json;
  beforeAll(async () => {
    site = await startTestSite(engine);
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Pictures' })).path;
    await publish(site, folder);
    bytes = await picture(1000, 500);
    image = await createImage(bytes, 'picture.png', 'image/png');
  });
  afterAll(() => site?.close());

  const createImage = (data: Uint8Array | string, name: string, type: string, container = folder) =>
    create(site, container, { '@type': 'Image', title: name, image: upload(data, name, type) });
  const get = (path: string, headers: Record<string, string> = {}, as: 'admin' | 'anonymous' = 'anonymous') =>
    site.request('GET', path, { as, headers: { Accept: '*/*', ...headers } });
  const sizeOf = async (data: Buffer): Promise<(number | undefined)[]> => {
    const { width, height } = await sharp(data).metadata();
    return [width, height];
  };

  it('the original of an image is at its field, in parts as well', async () => {
    const answer = await get(`${image.path}/@@images/image`);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    expect(disposition(answer)).toMatch(/^attachment; filename="picture\.png"/);
    expect((await get(`${image.path}/@@images/image`, { Range: 'bytes=0-7' })).bytes.equals(bytes.subarray(0, 8))).toBe(
      true,
    );
  });

  it('a scale is sent in parts as well', async () => {
    const scale = `${image.path}/@@images/image/thumb`;
    const whole = await get(scale);
    const size = whole.bytes.length;
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    for (const [range, start, end] of [
      ['bytes=0-7', 0, 7],
      ['bytes=20-30', 20, 30],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=${size - 1}-${size + 5}`, size - 1, size - 1],
    ] as const) {
      const part = await get(scale, { Range: range });
      expect([range, part.status, part.headers.get('content-range')]).toEqual([
        ...[range, 206, `bytes ${start}-${end}/${size}`],
      ]);
      expect(part.bytes.equals(whole.bytes.subarray(start, end + 1)), range).toBe(true);
    }
    const outside = await get(scale, { Range: `bytes=${size}-` });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  });

  it('a field for pictures takes no other file, and a file that is no picture changes nothing', async () => {
    const pdf = upload(Buffer.from('%PDF-1.7 text'), 'a.pdf', 'image/png');
    const posted = await site.request('POST', folder, { json: { '@type': 'Image', title: 'A', image: pdf } });
    expect(posted.status).toBe(400);
    const message = 'Must be a picture, not a file of the type application/pdf.';
    expect(posted.body.errors).toEqual([expect.objectContaining({ field: 'image', message })]);
    const path = `${folder}/pictured`;
    await create(site, folder, { '@type': 'Image', id: 'pictured', title: 'B', image: upload(bytes, 'b.png', '') });
    expect((await site.request('PATCH', path, { json: { title: 'C', image: pdf } })).status).toBe(400);
    const { body } = await site.request('GET', path);
    expect([body.title, body.image['content-type']]).toEqual(['B', 'image/png']);
    expect((await site.request('PATCH', path, { json: { image: body.image } })).status).toBe(204);
  });

  it('images are in lists only when everybody may read their field', async () => {
    const listed = async (path: string) =>
      (await site.request('GET', `${path}?metadata_fields=_all`, { as: 'anonymous' })).body.items;
    const { kernel } = site;
    const { fields, fieldByName, folderish, behaviorNames, columns, indexes, ...data } =
      (await kernel.sites.current()).types.get('Image') ?? expect.fail('There is no type Image');
    const properties = { ...data.properties, image: { ...data.properties.image, read_permission: 'cmf.ManagePortal' } };
    const row = { kind: KINDS.type, id: 'Guarded', position: 99, data: { ...data, id: 'Guarded', properties } };
    await kernel.db.transaction((tx) => writeConfiguration(tx, [row]));
    const { path } = await create(site, '/', { '@type': 'Folder', title: 'Listed' });
    await publish(site, path);
    for (const type of ['Image', 'Guarded']) {
      const json = { '@type': type, title: type, image: upload(bytes, 'picture.png', 'image/png') };
      await create(site, path, json);
    }
    const [open, guarded] = await listed(path);
    expect([open.image_field, Object.keys(open.image_scales)]).toEqual(['image', ['image']]);
    expect([guarded.image_field, guarded.image_scales]).toEqual(['', null]);
  });

  it('scales of an image have addresses by name, and can be inline', async () => {
    const answer = await get(`${image.path}/@@images/image/preview?disposition=inline`);
    expect(await sizeOf(answer.bytes)).toEqual([400, 200]);
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
    expect(disposition(answer)).toMatch(/^inline; filename="picture\.png"/);
    expect(disposition(await get(`${image.path}/@@images/image/preview`))).toMatch(/^attachment/);
  });

  it('every address in the representation of an image works, is inline and can be cached for ever', async () => {
    const { download, scales } = image.image;
    expect((await get(download)).bytes.equals(bytes)).toBe(true);
    for (const [name, scale] of Object.entries<Json>(scales)) {
      const answer = await get(scale.download);
      expect([name, ...(await sizeOf(answer.bytes))]).toEqual([name, scale.width, scale.height]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(disposition(answer)).toMatch(/^inline; filename="picture\.png"/);
    }
    expect(disposition(await get(download))).toMatch(/^inline/);
  });

  it('a scale that the client has returns 304, and another one does not', async () => {
    const etag = (await get(`${image.path}/@@images/image/thumb`)).headers.get('etag') ?? '';
    expect((await get(`${image.path}/@@images/image/thumb`, { 'If-None-Match': etag })).status).toBe(304);
    expect((await get(`${image.path}/@@images/image/icon`, { 'If-None-Match': etag })).status).toBe(200);
    expect((await get(`${image.path}/@@images/image`, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('unknown fields, scales and widths of an image return 404', async () => {
    const hash = /[0-9a-f]{64}/.exec(image.image.download)?.[0];
    for (const rest of [
      'image/no-such-scale',
      'image/__proto__',
      'image/constructor',
      'title',
      'no_such_field',
      `image-399-${hash}.png`,
      `image-0-${'0'.repeat(64)}.png`,
      `title-400-${hash}.png`,
    ]) {
      expect([rest, (await get(`${image.path}/@@images/${rest}`)).status]).toEqual([rest, 404]);
    }
  });

  it('a scale cannot be read by its hash from other content', async () => {
    const closed = (await create(site, '/', { '@type': 'Folder', title: 'Closed' })).path;
    const secret = await createImage(await picture(300, 200), 'secret.png', 'image/png', closed);
    const name = secret.image.download.split('/').at(-1);
    expect((await get(`${secret.path}/@@images/${name}`)).status).toBe(401);
    expect((await get(`${image.path}/@@images/${name}`)).status).toBe(404);
    const allowed = await get(`${secret.path}/@@images/${name}`, {}, 'admin');
    expect([allowed.status, allowed.headers.get('cache-control')]).toEqual([
      200,
      'private, max-age=31536000, immutable',
    ]);
  });

  it('an image is not enlarged, and is its own scale when it is small enough', async () => {
    const data = await picture(100, 50);
    const small = await createImage(data, 'small.png', 'image/png');
    expect((await get(`${small.path}/@@images/image/large`)).bytes.equals(data)).toBe(true);
    expect(await sizeOf((await get(`${small.path}/@@images/image/icon`)).bytes)).toEqual([32, 16]);
  });

  it('scales of an image have the extension of their type', async () => {
    const tiff = await createImage(await picture(300, 300, 'tiff'), 'scan.tiff', 'image/tiff');
    const answer = await get(`${tiff.path}/@@images/image/thumb`);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(disposition(answer)).toContain('filename="scan.jpg"');
  });

  it('an image that cannot be decoded has no scales', async () => {
    const broken = await createImage('this is no picture', 'broken.png', 'image/png');
    expect((await get(`${broken.path}/@@images/image/preview`)).status).toBe(404);
    expect((await get(`${broken.path}/@@images/image`)).text).toBe('this is no picture');
  });

  it('drawings are only attachments, also under the type of another picture', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script></svg>';
    for (const type of ['image/svg+xml', 'image/png']) {
      const drawing = await createImage(svg, 'drawing.svg', type);
      for (const rest of ['image', 'image/thumb', 'image/icon']) {
        const answer = await get(`${drawing.path}/@@images/${rest}?disposition=inline`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
        expect(disposition(answer)).toMatch(/^attachment/);
      }
      expect(disposition(await get(drawing.image.download))).toMatch(/^attachment/);
    }
  });
});
