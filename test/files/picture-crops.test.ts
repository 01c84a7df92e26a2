import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isJsonObject } from '../../src/lib/json-object.ts';
import { member, problemsOf } from '../openapi/read-document.ts';
import { exportInto, importFrom, keepFolders } from '../site-export/folders.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { transactionsOf } from '../transactions/transactions-site.ts';
import { create, upload } from './file-content.ts';

/** A picture of 400 × 400 pixels: above red and green, below blue and white. */
async function quarters(): Promise<Buffer> {
  const quarter = (background: string, left: number, top: number) => ({
    ...{ input: { create: { width: 200, height: 200, channels: 3 as const, background } }, left, top },
  });
  return sharp({ create: { width: 400, height: 400, channels: 3, background: '#ff0000' } })
    .composite([quarter('#00ff00', 200, 0), quarter('#0000ff', 0, 200), quarter('#ffffff', 200, 200)])
    .png()
    .toBuffer();
}

const QUARTERS = {
  red: { x: 0, y: 0, width: 0.5, height: 0.5 },
  green: { x: 0.5, y: 0, width: 0.5, height: 0.5 },
  blue: { x: 0, y: 0.5, width: 0.5, height: 0.5 },
  white: { x: 0.5, y: 0.5, width: 0.5, height: 0.5 },
};
const COLOURS: Json = { '255,0,0': 'red', '0,255,0': 'green', '0,0,255': 'blue', '255,255,255': 'white' };
const SCALES = ['square 100:100 crop', 'mini 200:65536', 'icon 32:32'];

describeEachEngine('crops of scales', (engine) => {
  let site: TestSite;
  const folders = keepFolders();
  beforeAll(async () => {
    site = await startTestSite(engine);
    await configure(site);
  });
  afterAll(async () => {
    await folders.remove();
    await site?.close();
  });

  const configure = async (at: TestSite) =>
    expect((await at.request('PATCH', '/@controlpanels/imaging', { json: { allowed_sizes: SCALES } })).status).toBe(
      204,
    );
  const patch = (path: string, json: Json) => site.request('PATCH', path, { json });
  const imageOf = async (path: string, at = site): Promise<Json> => (await at.request('GET', path)).body.image;
  const createImage = async (marks: Json = {}, container = '/') =>
    create(site, container, {
      '@type': 'Image',
      title: 'Quarters',
      image: { ...upload(await quarters(), 'quarters.png', 'image/png'), ...marks },
    });

  /** The size of a picture, and the colours of its corners. */
  async function shown(address: string, at = site) {
    const { status, bytes } = await at.request('GET', address, { headers: { Accept: '*/*' } });
    expect([address, status]).toEqual([address, 200]);
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const colour = (x: number, y: number): string => {
      const start = (y * info.width + x) * info.channels;
      const pixel = [...data.subarray(start, start + 3)].map((value) => (value > 127 ? 255 : 0)).join(',');
      return COLOURS[pixel] ?? pixel;
    };
    const [right, lower] = [info.width - 3, info.height - 3];
    const corners = new Set([colour(2, 2), colour(right, 2), colour(2, lower), colour(right, lower)]);
    return { size: [info.width, info.height], colours: [...corners].sort() };
  }

  it('a scale shows the part of its crop alone, at an address of its own', async () => {
    const { path, image } = await createImage();
    const seen = new Set([image.scales.mini.download]);
    expect(await shown(image.scales.mini.download)).toEqual({
      ...{ size: [200, 200], colours: ['blue', 'green', 'red', 'white'] },
    });
    for (const [colour, crop] of Object.entries(QUARTERS)) {
      expect((await patch(path, { image: { crops: { mini: crop, square: crop } } })).status).toBe(204);
      const { crops, scales } = await imageOf(path);
      expect(crops).toEqual({ mini: crop, square: crop });
      expect(await shown(scales.mini.download)).toEqual({ size: [200, 200], colours: [colour] });
      expect(await shown(scales.square.download)).toEqual({ size: [100, 100], colours: [colour] });
      expect(await shown(`${path}/@@images/image/mini`)).toEqual({ size: [200, 200], colours: [colour] });
      expect(scales.icon).toEqual(image.scales.icon);
      seen.add(scales.mini.download);
    }
    expect(seen.size).toBe(5);
    expect((await patch(path, { image: { crops: null } })).status).toBe(204);
    expect(await imageOf(path)).toEqual(image);
  });

  it('a scale with proportions of its own cuts the crop to them, around the focal point', async () => {
    const upper = { x: 0, y: 0, width: 1, height: 0.5 };
    const { path } = await createImage({ focal_point: { x: 1, y: 0 }, crops: { square: upper } });
    expect(await shown((await imageOf(path)).scales.square.download)).toEqual({ size: [100, 100], colours: ['green'] });
    await patch(path, { image: { focal_point: { x: 0, y: 1 } } });
    expect(await shown((await imageOf(path)).scales.square.download)).toEqual({ size: [100, 100], colours: ['red'] });
  });

  it('crops that are no part of the picture are rejected with the reason, and change nothing', async () => {
    const { path, image } = await createImage({ crops: { mini: QUARTERS.blue } });
    for (const [crops, message] of [
      [{ mini: { x: 0.75, y: 0, width: 0.5, height: 1 } }, 'inside of the picture'],
      [{ mini: { x: -0.1, y: 0, width: 0.5, height: 1 } }, 'inside of the picture'],
      [{ mini: { x: 0, y: 0, width: 0.001, height: 1 } }, 'at least one of the 400 × 400 pixels'],
      [{ mini: { x: 0, y: 0, width: 1, height: 1e-9 } }, 'at least one of the 400 × 400 pixels'],
      [{ poster: QUARTERS.red }, 'the scale \\"poster\\", which this site does not have'],
      [JSON.parse('{"__proto__":{"x":0,"y":0,"width":1,"height":1}}'), 'which this site does not have'],
      [Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`s${i}`, QUARTERS.red])), '100 crops at most'],
    ] as const) {
      const { status, text } = await patch(path, { image: { crops } });
      expect([crops, status, text]).toEqual([crops, 400, expect.stringContaining(message)]);
    }
    expect(await imageOf(path)).toEqual(image);
  });

  it('changes of other fields keep crops, and a new picture has none', async () => {
    const { path } = await createImage({ crops: { mini: QUARTERS.green } });
    await patch(path, { title: 'Other' });
    await patch(path, { image: { focal_point: { x: 0.1, y: 0.1 } } });
    expect((await imageOf(path)).crops).toEqual({ mini: QUARTERS.green });
    const other = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await patch(path, { image: upload(other, 'other.png', 'image/png') });
    const { crops, focal_point: point, scales } = await imageOf(path);
    expect([crops, point, await shown(scales.mini.download)]).toEqual([
      ...[undefined, undefined, { size: [200, 200], colours: ['white'] }],
    ]);
  });

  it('copies, versions and undo have the crop of their time', async () => {
    const { change, undo } = transactionsOf(() => site);
    const { path } = await createImage({ crops: { mini: QUARTERS.red } });
    const copied = await site.request('POST', '/@copy', { json: { source: path } });
    const copy = copied.body[0].target.slice(site.url.length);
    const changed = await change('PATCH', path, { image: { crops: { mini: QUARTERS.white } } });
    const mini = async (at: string) => (await shown((await imageOf(at)).scales.mini.download)).colours;
    expect([await mini(path), await mini(copy)]).toEqual([['white'], ['red']]);
    expect((await undo([changed])).status).toBe(200);
    expect([await mini(path), (await imageOf(path)).crops]).toEqual([['red'], { mini: QUARTERS.red }]);
    const versions = (await site.request('GET', `${path}/@history`)).body.filter((entry: Json) => entry.may_revert);
    const before = await Promise.all(
      versions.map(async ({ version }: Json) => (await site.request('GET', `${path}/@history/${version}`)).body.image),
    );
    expect(before.map(({ crops }: Json) => crops)).toContainEqual({ mini: QUARTERS.white });
  });

  it('a working copy takes crops along, and brings its own back', async () => {
    const { path } = await create(site, '/', {
      ...{ '@type': PAGE, title: 'A page' },
      preview_image: { ...upload(await quarters(), 'quarters.png', 'image/png'), crops: { mini: QUARTERS.red } },
    });
    const { body } = await site.request('POST', `${path}/@workingcopy`);
    const copy = body['@id'].slice(site.url.length);
    const cropsOf = async (at: string) => (await site.request('GET', at)).body.preview_image.crops;
    expect(await cropsOf(copy)).toEqual({ mini: QUARTERS.red });
    await patch(copy, { preview_image: { crops: { mini: QUARTERS.blue } } });
    expect(await cropsOf(path)).toEqual({ mini: QUARTERS.red });
    expect((await site.request('PATCH', `${copy}/@workingcopy`)).status).toBeLessThan(300);
    expect(await cropsOf(path)).toEqual({ mini: QUARTERS.blue });
  });

  it('an export takes crops to another site', async () => {
    const folder = await create(site, '/', { '@type': 'Folder', title: 'Pictures' });
    const { path } = await createImage({ crops: { mini: QUARTERS.green } }, folder.path);
    const target = await folders.fresh();
    await exportInto(site.kernel, target, { path: `${folder.path}/` });
    const other = await startTestSite(engine);
    try {
      await configure(other);
      await importFrom(other.kernel, target);
      const { crops, scales } = await imageOf(path, other);
      expect(crops).toEqual({ mini: QUARTERS.green });
      expect(await shown(scales.mini.download, other)).toEqual({ size: [200, 200], colours: ['green'] });
    } finally {
      await other.close();
    }
  });

  it('the description of the API has crops and focal points in both directions', async () => {
    const document: Json = (await site.request('GET', '/@openapi')).body;
    const schemas = member(document, 'components', 'schemas');
    const fits = (name: string, value: unknown) =>
      problemsOf(document, isJsonObject(schemas) ? schemas[name] : undefined, value).length === 0;
    const { image } = await createImage({ focal_point: { x: 0, y: 1 }, crops: { mini: QUARTERS.green } });
    expect([fits('ImageValue', image), fits('NewImage', { focal_point: null, crops: image.crops })]).toEqual([
      true,
      true,
    ]);
    const outside = { crops: { mini: { ...QUARTERS.green, x: 2 } } };
    expect([fits('ImageValue', { ...image, ...outside }), fits('NewImage', outside)]).toEqual([false, false]);
  });
});
