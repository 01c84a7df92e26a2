import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/lib/json-object.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';
import { childrenOf, filesBelow, freshSite, rowCounts, run, stored } from './import-helpers.ts';

/** Folder with exports of real sites, which are not part of this repository; without it these tests are skipped. */
const EXPORTS = process.env.TEST_EXPORTS ?? '';
const conference = `${EXPORTS}/ploneconf-2024`;
const small = `${EXPORTS}/plone-exportimport`;

type Item = Record<string, unknown> & { '@id': string; '@type': string; UID: string };

function isItem(value: unknown): value is Item {
  return isJsonObject(value) && typeof value['@id'] === 'string' && typeof value.UID === 'string';
}

async function readItems(): Promise<Item[]> {
  const names = await readdir(`${conference}/items`);
  const values = await Promise.all(
    names.map(async (name): Promise<unknown> => JSON.parse(await readFile(`${conference}/items/${name}`, 'utf8'))),
  );
  return values.filter(isItem);
}

const pathOf = (item: Item): string => (item['@type'] === 'Plone Site' ? '/' : item['@id']);

/** Blocks without the values that are taken from the targets of links when they are served. */
function plain(value: unknown, base: string): unknown {
  if (typeof value === 'string') return value.startsWith(base) ? value.slice(base.length) : value;
  if (Array.isArray(value)) return value.map((item) => plain(item, base));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !['image_scales', 'image_field', 'overwrite'].includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner, base)]));
}

describe.skipIf(!existsSync(conference))('exports of real sites', () => {
  describeEachEngine('the conference site', (engine) => {
    it('the conference site is imported completely, with all files, in order', async () => {
      const { kernel, dataDir } = await freshSite(engine);
      const summary = await run(kernel, conference);
      expect(summary).toMatchObject({
        objects: { created: 75, skipped: 0, failed: 0 },
        files: { created: 48, failed: 0 },
        types: ['SponsorsDB', 'SponsorLevel', 'Sponsor'],
        redirects: { created: 11 },
      });
      const items = await readItems();
      const objects = await stored(kernel);
      expect([...objects.keys()].sort()).toEqual(items.map(pathOf).sort());
      for (const item of items) {
        const object = objects.get(pathOf(item));
        expect(object?.uid).toBe(item.UID);
        if (item['@type'] !== 'Plone Site') expect(object?.state).toBe(item.review_state);
        if (typeof item.created === 'string') expect(object?.created).toEqual(new Date(item.created));
        if (typeof item.modified === 'string') expect(object?.modified).toEqual(new Date(item.modified));
      }
      const hashes = new Set(JSON.stringify([...objects.values()]).match(/"hash":"[0-9a-f]{64}"/g));
      const blobs = (await filesBelow(dataDir)).filter((name) => /\/[0-9a-f]{64}$/.test(name));
      expect(blobs).toHaveLength(hashes.size);

      const ordering: unknown = JSON.parse(await readFile(`${conference}/ordering.json`, 'utf8'));
      const orderOf = new Map((Array.isArray(ordering) ? ordering : []).map(({ uuid, order }) => [uuid, order]));
      for (const container of items.filter(({ is_folderish: folderish }) => folderish)) {
        const path = pathOf(container);
        const below = items.filter(
          (item) => item !== container && pathOf(item).replace(/\/[^/]+$/, '') === path.replace(/^\/$/, ''),
        );
        const place = ({ UID, '@id': id }: Item) => orderOf.get(UID) ?? orderOf.get(`${UID}-${id.split('/')[1]}`) ?? 0;
        const expected = below.filter((item) => pathOf(item) !== '/').sort((a, b) => place(a) - place(b));
        expect(await childrenOf(kernel, path)).toEqual(expected.map((item) => item['@id'].split('/').at(-1)));
      }

      const before = await rowCounts(kernel);
      expect((await run(kernel, conference)).objects).toEqual({ created: 0, skipped: 75, failed: 0 });
      expect(await rowCounts(kernel)).toEqual(before);
    });

    it('an import of the conference site goes on after a kill in the middle', async () => {
      const { kernel } = await freshSite(engine);
      let batches = 0;
      const progress = () => ({
        tick: () => {
          batches += 1;
          if (batches === 5) throw new Error('killed');
        },
        done: () => {},
      });
      await expect(run(kernel, conference, { batchSize: 10, progress })).rejects.toThrow('killed');
      const half = await stored(kernel);
      expect(half.size).toBeGreaterThan(10);
      expect(half.size).toBeLessThan(75);
      const { objects } = await run(kernel, conference, { batchSize: 10 });
      expect(objects).toEqual({ created: 75 - half.size, skipped: half.size, failed: 0 });
      expect((await stored(kernel)).size).toBe(75);
    });

    it('the conference site is served with its exported blocks', async () => {
      const site = await startTestSite(engine);
      try {
        await run(site.kernel, conference);
        for (const item of await readItems()) {
          const { status, body } = await site.request('GET', pathOf(item));
          expect(status).toBe(200);
          if (item.blocks === undefined) continue;
          expect(plain(body.blocks, site.url)).toEqual(plain(item.blocks, site.url));
          expect(body.blocks_layout).toEqual(item.blocks_layout);
        }
      } finally {
        await site.close();
      }
    });
  });

  describeEachEngine('the small site', (engine) => {
    it('the small site is imported completely with its users, groups and comments', async () => {
      const { kernel } = await freshSite(engine);
      const summary = await run(kernel, small);
      expect(summary).toMatchObject({
        objects: { created: 9, failed: 0 },
        files: { created: 3, failed: 0 },
        users: { created: 2 },
        groups: { created: 2, skipped: 3 },
        comments: { created: 11, failed: 0 },
      });
      const objects = await stored(kernel);
      const boxed = [...objects.values()].find(({ uid }) => uid === '70844f7bec1843b8ab2796c972c9ebfe');
      expect(boxed).toMatchObject({
        inherits: false,
        roles: {
          'group:Site Administrators': ['Reader', 'Contributor', 'Reviewer', 'Editor'],
          'user:admin': ['Owner'],
        },
      });
    });
  });
});
