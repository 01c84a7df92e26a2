import { reindexSite } from '../../core/content/reindex-site.ts';
import type { Command } from '../../core/kernel/command.ts';
import { reindexCount } from '../../core/search/statements/catalog.ts';
import { progress } from '../../lib/process/progress.ts';

/** Builds the catalog anew and shows how far it is. */
export const reindexCommand: Command = {
  name: 'reindex',
  summary: 'build the catalog anew, also while the site is in use (PostgreSQL)',
  async run({ open }) {
    const kernel = await open();
    const bar = progress(await reindexCount(kernel.db), 'Indexing');
    let shown = 0;
    try {
      const count = await reindexSite(kernel, {
        progress: (done) => {
          bar.tick(done - shown);
          shown = done;
        },
      });
      process.stdout.write(`${count} objects are indexed.\n`);
    } finally {
      bar.done();
    }
    return 0;
  },
};
