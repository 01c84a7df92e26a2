import { reindexSite } from '../content/reindex-site.ts';
import type { Log } from '../lib/process.ts';
import { progress } from '../lib/progress.ts';
import type { Config } from '../site/config.ts';
import { reindexCount } from '../storage/statements/catalog.ts';
import { openSite } from './open-site.ts';

/** Builds the catalog of the site of the settings anew and shows how far it is. Answers the exit code. */
export async function reindexCommand(settings: Config, log: Log): Promise<number> {
  const { kernel, close } = await openSite(settings, log);
  try {
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
  } finally {
    await close();
  }
}
