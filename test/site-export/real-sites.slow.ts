import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { importSite } from '../../src/features/import/import-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { exportInto, importFrom, keepFolders, quiet } from './folders.ts';
import { contentsOf } from './same-tables.ts';

/** Where the exports are that Plone has made; nothing is tested without. */
const EXPORTS = process.env.TEST_EXPORTS ?? '';

describeEachEngine('a real site that Plone has exported', (engine) => {
  const folders = keepFolders();
  afterAll(() => folders.remove());

  it.skipIf(!existsSync(`${EXPORTS}/ploneconf-2024`)).each(['ploneconf-2024', 'plone-exportimport'])(
    '%s comes in, goes out, and is the same when it comes in again',
    { timeout: 600_000 },
    async (name) => {
      const [first, second] = [await createTestKernel(engine), await createTestKernel(engine, { profile: 'plone' })];
      try {
        const { objects } = await importSite(first.kernel, { directory: `${EXPORTS}/${name}`, progress: quiet });
        expect(objects.failed).toBe(0);
        const folder = await folders.fresh();
        expect(await exportInto(first.kernel, folder)).toMatchObject({ objects: objects.created, missingCount: 0 });
        expect(await importFrom(second.kernel, folder)).toMatchObject({ left: [] });
        expect(await contentsOf(second.kernel)).toEqual(await contentsOf(first.kernel));
      } finally {
        await first.close();
        await second.close();
      }
    },
  );
});
