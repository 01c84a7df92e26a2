import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportSite } from '../../src/features/site-export/export-site.ts';
import { PLONE_FILES, tableFile } from '../../src/features/site-export/format.ts';
import { isKept } from '../../src/features/site-export/tables.ts';
import { openFolderTarget } from '../../src/features/site-export/target/folder-target.ts';
import { engines } from '../support/database.ts';
import type { Engine } from '../support/engines.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { createTestKernel, startTestSite, type TestSite } from '../support/site.ts';
import { exportInto, filesIn, importFrom, keepFolders, quiet } from './folders.ts';
import { furnish, mustOf } from './furnish.ts';
import { live, write } from './random-writes.ts';
import { contentsOf, filled, saidOf } from './same-tables.ts';

const PASSPHRASE = 'correct horse battery staple';

/** From each engine of this run to the other one; to itself where there is one. */
const DIRECTIONS = engines().map((from): [Engine, Engine] => [from, engines().find((one) => one !== from) ?? from]);

describe.each(DIRECTIONS)('a site that is exported from %s and imported into %s', (from, into) => {
  let site: TestSite;
  let other: Awaited<ReturnType<typeof createTestKernel>>;
  const folders = keepFolders();

  beforeAll(async () => {
    site = await startTestSite(from);
    other = await createTestKernel(into);
    await furnish(site);
  });
  afterAll(async () => {
    await folders.remove();
    await site?.close();
    await other?.close();
  });

  it('it is the same in each row of each table, its secrets included, and exports the same files', {
    timeout: 120_000,
  }, async () => {
    const before = await contentsOf(site.kernel);
    const kept = saidOf(site.kernel).filter(isKept);
    expect(kept.map(({ name }) => name).filter((name) => !filled(before).includes(name))).toEqual([]);
    const folder = await folders.fresh();
    const exported = await exportInto(site.kernel, folder, { passphrase: PASSPHRASE });
    expect(exported).toMatchObject({ secretsLeft: 0, missingCount: 0, unknownTables: [] });
    const imported = await importFrom(other.kernel, folder, { passphrase: PASSPHRASE });
    expect(imported).toMatchObject({ left: [], path: '/' });
    expect(await contentsOf(other.kernel)).toEqual(before);

    const [first, second] = [await folders.fresh(), await folders.fresh()];
    await exportInto(site.kernel, first);
    await exportInto(other.kernel, second);
    const [a, b] = [await filesIn(first), await filesIn(second)];
    for (const files of [a, b]) {
      files['canopy/manifest.json'] = files['canopy/manifest.json']?.replace(/"at": "[^"]*"/, '') ?? '';
      files['canopy/tables/site_state.jsonl'] = '';
      files['canopy/tables/content.jsonl'] = '';
    }
    expect(Object.keys(b)).toEqual(Object.keys(a));
    expect(b).toEqual(a);
  });

  it.runIf(from === 'postgresql')('what is written while it is exported is not in the export', async () => {
    const folder = await folders.fresh();
    const target = await openFolderTarget(folder);
    const write: typeof target.write = async (name, content) => {
      if (name === tableFile('content') || name === PLONE_FILES.translations) {
        await mustOf(site)('POST', '/', { '@type': PAGE, title: `Written meanwhile ${name}` });
        await mustOf(site)('PATCH', '/news', { title: `Changed meanwhile ${name}` });
      }
      await target.write(name, content);
    };
    const { objects } = await exportSite(site.kernel, { target: { ...target, write }, progress: quiet });
    const texts = Object.values(await filesIn(folder)).filter((text) => text.includes('meanwhile'));
    expect(texts).toEqual([]);
    const rows = await site.kernel.db.query({ text: 'select 1 from content' });
    expect(rows).toHaveLength(objects + 2);
  });

  it('after random writes it is the same again', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 12, maxLength: 30 }), async (writes) => {
        await live(site, writes);
        const before = await contentsOf(site.kernel);
        const folder = await folders.fresh();
        await exportInto(site.kernel, folder, { passphrase: PASSPHRASE });
        await importFrom(other.kernel, folder, { passphrase: PASSPHRASE, replace: true });
        expect(await contentsOf(other.kernel)).toEqual(before);
        await rm(folder, { recursive: true });
      }),
      { numRuns: propertyRuns(2, 30), endOnFailure: true },
    );
  });
});
