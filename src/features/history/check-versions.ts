import { objectWindows, type SiteCheck } from '#core';
import { brokenVersionsIn, clearVersionValues } from './statements.ts';

/** The check of versions: their numbers, and the values that they store. */
export const versionsCheck: SiteCheck = {
  name: 'versions',
  kinds: {
    'version-gap': {
      title: 'Content of which a version in the middle is gone',
      advice: 'Older versions may have wrong values. Bring the table "version" back from a backup, if that matters.',
    },
    'version-values': {
      title: 'Versions whose values cannot be read',
      advice: '--repair lets them have none, so that the history can be shown; nothing readable is lost.',
    },
  },
  async *find(kernel) {
    for await (const window of objectWindows(kernel)) {
      for (const { oid, path, gap, unusable } of await brokenVersionsIn(kernel.db, window)) {
        if (gap) yield { problems: [{ kind: 'version-gap', address: path }] };
        if (unusable.length > 0)
          yield {
            problems: unusable.map((number) => ({
              kind: 'version-values',
              address: path,
              detail: `version ${number}`,
            })),
            mend: (tx) => clearVersionValues(tx, oid, unusable),
          };
      }
    }
  },
};
