import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sizeText } from '../../src/features/monitoring/database.ts';
import { contentFigures } from '../../src/features/monitoring/statements.ts';
import { type ComponentSite, startComponentSite } from '../components/component-site.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';

it.each([
  [0, '0 bytes'],
  [10_239, '10239 bytes'],
  [10_240, '10 kB'],
  [10 * 1024 ** 2, '10 MB'],
  [10 * 1024 ** 3 - 1, '10240 MB'],
  [5 * 1024 ** 5, '5120 TB'],
])('a size of %d bytes is shown as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

describeEachEngine('figures of a site', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
  });
  afterAll(() => site?.close());

  it('the figures count each blob once, however many objects refer to it', async () => {
    const before = await contentFigures(site.kernel.db);
    const bytes = randomBytes(5000);
    for (const title of ['One', 'Two']) {
      const file = { data: bytes.toString('base64'), encoding: 'base64', filename: 'a.bin', 'content-type': 'a/b' };
      await site.create('/', { '@type': 'File', title, file });
    }
    await site.create('/', { title: 'No file' });
    expect(await contentFigures(site.kernel.db)).toEqual({
      objects: before.objects + 3,
      blobBytes: before.blobBytes + 5000,
    });
  });

  it('@database has the figures of the engine in use, with the keys of Nick and Plone', async () => {
    const { name, version } = await site.kernel.db.figures();
    const body = await site.read('/@database');
    expect(body).toMatchObject({
      '@id': `${site.url}/@database`,
      engine,
      version,
      db_name: name,
      db_size: expect.stringMatching(/^\d+ [kM]B$/),
      blob_size: expect.stringMatching(/^\d+ (bytes|kB)$/),
      cache_detail_length: [],
    });
    expect(body.database_size).toBeGreaterThan(3);
  });

  it('figures of the content are counted once for many requests', async () => {
    await site.read('/@database');
    expect(await site.statements('/@database')).not.toContain('figures-content');
  });

  it('@system has the versions as labels and under the keys that Volto reads', async () => {
    const { version } = await site.kernel.db.figures();
    const body = await site.read('/@system');
    expect(body).toMatchObject({ '@id': `${site.url}/@system`, debug_mode: 'No', upgrade: false });
    expect(Number.parseFloat(body.plone_restapi_version)).toBeGreaterThan(9);
    expect(body.items).toContainEqual({ label: 'Node.js', value: process.version });
    expect(body.items).toContainEqual({ label: expect.stringMatching(/^PostgreSQL/), value: version });
  });

  it.each(['/@system', '/@database'])('only managers of the site may read %s', async (path) => {
    const member = await addPerson(site, { id: `member-of-${path.slice(2)}` });
    const siteAdministrator = await addPerson(site, {
      id: `keeper-of-${path.slice(2)}`,
      roles: ['Site Administrator'],
    });
    const status = async (as: Parameters<typeof site.request>[2]) => (await site.request('GET', path, as)).status;
    expect(await status({ as: 'anonymous' })).toBe(401);
    expect(await status({ as: member })).toBe(403);
    expect(await status({ as: siteAdministrator })).toBe(200);
  });
});
