import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, stored } from '../import-helpers.ts';
import { documentation, PARTS } from './documentation.ts';
import { folderOf, importFolder } from './folder.ts';

describeEachEngine('a documentation', (engine) => {
  it('500 texts come with their links, and again without a difference.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await folderOf(documentation());
    const started = performance.now();
    const summary = await importFolder(kernel, folder);
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `500 texts took ${seconds.toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB at the end.`,
    );
    expect(summary.objects).toEqual({ created: 520, skipped: 0, failed: 0 });
    expect(summary.redirects.created).toBe(500);
    expect(summary.reasons).toEqual({ changed: 500 });
    const objects = await stored(kernel);
    for (let part = 0; part < PARTS; part += 1) {
      const last = JSON.stringify(objects.get(`/part-${part}/text-24`)?.fields);
      expect(last).toContain(`resolveuid/${objects.get(`/part-${(part + 1) % PARTS}`)?.uid}`);
      expect(last).toContain(`resolveuid/${objects.get(`/part-${part}/dot.png`)?.uid}`);
    }
    const again = await importFolder(kernel, folder, { again: 'stop' });
    expect(again.again?.counts).toMatchObject({ unchanged: 520, changed: 0, added: 0, reordered: 0, conflicts: 0 });
  });

  it("The project's own documentation comes whole: nothing of it is lost.", async () => {
    const { kernel } = await freshSite(engine);
    const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
    const summary = await importFolder(kernel, docs);
    console.log(summary.objects, summary.reasons);
    expect(summary.objects.failed).toBe(0);
    const kinds = new Set(summary.problems.map(({ reason }) => reason));
    for (const reason of ['object', 'unreadable', 'value', 'field', 'file', 'target'] as const)
      expect(kinds).not.toContain(reason);
    const again = await importFolder(kernel, docs, { again: 'stop' });
    expect(again.again?.counts).toMatchObject({
      changed: 0,
      added: 0,
      removed: 0,
      moved: 0,
      reordered: 0,
      conflicts: 0,
    });
  });
});
