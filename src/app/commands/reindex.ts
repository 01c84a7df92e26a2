import { reindexSite } from '../../core/content/reindex-site.ts';
import type { Command } from '../../core/kernel/command.ts';
import { reindexCount } from '../../core/search/statements/catalog.ts';

/** Rebuilds the catalog and shows the progress. */
export const reindexCommand: Command = {
  name: 'reindex',
  summary: 'build the catalog anew, also while the site is in use (PostgreSQL)',
  example: 'reindex',
  json: '`objects`: how many are indexed.',
  async run({ open, progress }) {
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
      return { lines: [`${count} objects are indexed.`], data: { objects: count } };
    } finally {
      bar.done();
    }
  },
};
