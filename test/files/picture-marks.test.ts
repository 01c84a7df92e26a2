import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { create, upload } from './file-content.ts';

/** A picture whose left half is red and whose right half is blue. */
const halves = async (width: number, height: number): Promise<Buffer> => {
  const half = Math.floor(width / 2);
  const blue = { create: { width: width - half, height, channels: 3 as const, background: '#0000ff' } };
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: half, top: 0 }])
    .png()
    .toBuffer();
};

describeEachEngine('focal points and crops', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
    await configure({ allowed_sizes: ['square 100:100 crop', 'mini 200:65536', 'icon 32:32'] });
  });
  afterAll(() => site?.close());

  const configure = async (settings: Json) =>
    expect((await site.request('PATCH', '/@controlpanels/imaging', { json: settings })).status).toBe(204);

  const createImage = async (marks: Json = {}, data?: Buffer) =>
    create(site, '/', {
      '@type': 'Image',
      title: 'Halves',
      image: { ...upload(data ?? (await halves(400, 200)), 'halves.png', 'image/png'), ...marks },
    });
  const read = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const patch = (path: string, image: Json | null) => site.request('PATCH', path, { json: { image } });
  const picture = async (address: string) => {
    const { status, bytes } = await site.request('GET', address, { headers: { Accept: '*/*' } });
    expect([address, status]).toEqual([address, 200]);
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const colour = (x: number) =>
      Number(data[x * info.channels]) > Number(data[x * info.channels + 2]) ? 'red' : 'blue';
    return { size: [info.width, info.height], colours: [colour(2), colour(info.width - 3)] };
  };

  it('a focal point decides what scales that crop show, and changes their addresses', async () => {
    const { path, image } = await createImage();
    expect(image.scales.square).toMatchObject({ width: 100, height: 100 });
    expect(image.focal_point).toBeUndefined();
    expect(await picture(image.scales.square.download)).toEqual({ size: [100, 100], colours: ['red', 'blue'] });
    expect((await patch(path, { focal_point: { x: 0.9, y: 0.5 } })).status).toBe(204);
    const right = (await read(path)).image;
    expect(right).toMatchObject({ focal_point: { x: 0.9, y: 0.5 }, filename: 'halves.png', size: image.size });
    expect(right.scales.square.download).not.toBe(image.scales.square.download);
    expect(right.scales.mini).toEqual(image.scales.mini);
    for (const address of [right.scales.square.download, `${path}/@@images/image/square`])
      expect(await picture(address)).toEqual({ size: [100, 100], colours: ['blue', 'blue'] });
    expect(await picture(right.scales.mini.download)).toEqual({ size: [200, 100], colours: ['red', 'blue'] });
    const [listed] = (await site.request('GET', '/@search?portal_type=Image&metadata_fields=image_scales')).body.items;
    const [entry] = listed.image_scales.image;
    expect(entry).toMatchObject({ focal_point: { x: 0.9, y: 0.5 } });
    expect(await picture(`${path}/${entry.scales.square.download}`)).toMatchObject({ colours: ['blue', 'blue'] });
    // An address that is no longer that of a scale is gone, lest clients make scales of all parts.
    expect((await site.request('GET', image.scales.square.download)).status).toBe(404);
  });

  it('crops decide what scales show, and can be sent with the file', async () => {
    const crops = { mini: { x: 0, y: 0, width: 0.25, height: 1 }, square: { x: 0.5, y: 0, width: 0.5, height: 0.5 } };
    const { path, image } = await createImage({ focal_point: { x: 0, y: 0 }, crops });
    expect(image).toMatchObject({ focal_point: { x: 0, y: 0 }, crops });
    expect(image.scales.mini).toMatchObject({ width: 100, height: 200 });
    expect(await picture(image.scales.mini.download)).toEqual({ size: [100, 200], colours: ['red', 'red'] });
    expect(await picture(image.scales.square.download)).toEqual({ size: [100, 100], colours: ['blue', 'blue'] });
    expect(await picture(`${path}/@@images/image/mini`)).toMatchObject({ size: [100, 200] });
  });

  it('focal points stay in copies and versions, and when the description of the picture is sent back', async () => {
    const focal_point = { x: 0.25, y: 0.5 };
    const { path, image } = await createImage({ focal_point });
    expect((await patch(path, image)).status).toBe(204);
    expect((await patch(path, { filename: image.filename })).status).toBe(204);
    expect((await read(path)).image.focal_point).toEqual(focal_point);
    const copied = await site.request('POST', '/@copy', { json: { source: path } });
    expect((await read(copied.body[0].target)).image.focal_point).toEqual(focal_point);
    expect((await patch(path, { focal_point: null })).status).toBe(204);
    expect((await read(path)).image.focal_point).toBeUndefined();
    const [latest, first] = (await site.request('GET', `${path}/@history`)).body.filter(
      (entry: Json) => entry.may_revert,
    );
    const reverted = await site.request('PATCH', `${path}/@history`, { json: { version: (first ?? latest).version } });
    expect(reverted.status).toBe(200);
    expect((await read(path)).image.focal_point).toEqual(focal_point);
  });

  it('focal points and crops are dropped with a new picture, and kept with the same bytes', async () => {
    const data = await halves(400, 200);
    const { path } = await createImage(
      { focal_point: { x: 0, y: 0 }, crops: { icon: { x: 0, y: 0, width: 1, height: 1 } } },
      data,
    );
    expect((await patch(path, upload(data, 'again.png', 'image/png'))).status).toBe(204);
    expect((await read(path)).image).toMatchObject({
      filename: 'again.png',
      focal_point: { x: 0, y: 0 },
      crops: { icon: { x: 0 } },
    });
    expect((await patch(path, upload(await halves(300, 300), 'other.png', 'image/png'))).status).toBe(204);
    const { image } = await read(path);
    expect([image.filename, image.focal_point, image.crops]).toEqual(['other.png', undefined, undefined]);
  });

  it('malformed focal points and crops are rejected', async () => {
    const { path, image } = await createImage();
    for (const [marks, message] of [
      [{ focal_point: { x: 1.1, y: 0 } }, 'focal_point'],
      [{ focal_point: { x: 0 } }, 'focal_point'],
      [{ focal_point: { x: 0, y: 0, z: 0 } }, 'focal_point'],
      [{ focal_point: 'centre' }, 'focal_point'],
      [{ crops: [] }, 'crops'],
      [
        { crops: { nowhere: { x: 0, y: 0, width: 1, height: 1 } } },
        'scale \\"nowhere\\", which this site does not have',
      ],
      [{ crops: { mini: { x: 0.5, y: 0, width: 0.6, height: 1 } } }, 'inside of the picture'],
      [{ crops: { mini: { x: 0, y: 0, width: 0, height: 1 } } }, 'inside of the picture'],
      [{ crops: { mini: null } }, 'inside of the picture'],
    ] as const) {
      const { status, text } = await patch(path, marks);
      expect([marks, status, text]).toEqual([marks, 400, expect.stringContaining(message)]);
    }
    expect((await read(path)).image).toEqual(image);
    const empty = await create(site, '/', { '@type': 'News Item', title: 'No picture' });
    const refused = await site.request('PATCH', empty.path, {
      json: { preview_image: { focal_point: { x: 0, y: 0 } } },
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('There is no picture to mark')]);
    const drawing = upload(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>',
      'a.svg',
      'image/svg+xml',
    );
    const svg = { ...drawing, crops: { mini: { x: 0, y: 0, width: 1, height: 1 } } };
    expect((await patch(path, svg)).status).toBe(400);
    expect((await patch(path, { ...drawing, focal_point: { x: 0, y: 1 } })).status).toBe(204);
  });

  it('the crop of a removed scale has no effect, and has it again when the scale is back', async () => {
    const crops = { icon: { x: 0.5, y: 0, width: 0.5, height: 1 } };
    const { path } = await createImage({ crops });
    await configure({ allowed_sizes: ['square 100:100 crop'] });
    const { image } = await read(path);
    expect([image.crops, Object.keys(image.scales)]).toEqual([crops, ['square']]);
    expect((await patch(path, image)).status).toBe(204);
    await configure({ allowed_sizes: ['square 100:100 crop', 'mini 200:65536', 'icon 32:32'] });
    expect((await read(path)).image.scales.icon).toMatchObject({ width: 32, height: 32 });
  });
});
