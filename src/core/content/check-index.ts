import { isDeepStrictEqual } from 'node:util';
import type { Kernel } from '../kernel/kernel.ts';
import type { SiteCheck, SiteProblem } from '../kernel/site-check.ts';
import { differingCatalogRows, reindexNext } from '../search/statements/catalog.ts';
import { indexEntriesOf, reindexIn } from './reindex-site.ts';
import { storedReferences } from './statements/references.ts';

/** Objects that are compared in one transaction. Writers of these objects wait for it, as in a reindexing. */
const BATCH = 50;

/** Compares the index entries of the next objects behind the number `after` with newly made entries. */
const compareBatch = (kernel: Kernel, after: number) =>
  kernel.db.transaction(async (tx) => {
    const next = await reindexNext(tx, { after, limit: BATCH, types: undefined });
    const last = next.at(-1)?.oid;
    if (last === undefined) return undefined;
    const { objects, rows, references } = await indexEntriesOf(kernel, tx, next);
    const differences = new Map((await differingCatalogRows(tx, rows)).map((one) => [one.oid, one]));
    const stored = await storedReferences(
      tx,
      next.map(({ oid }) => oid),
    );
    const wanted = new Map(references.map((one) => [one.oid, one.references]));
    const problems = objects.flatMap(({ oid, path: address }): (SiteProblem & { oid: number })[] => {
      const { missing, viewers, values } = differences.get(oid) ?? {};
      const present = stored
        .filter(({ source }) => source === oid)
        .map(({ relation, target }) => ({ relation, target }));
      return [
        ...(missing ? [{ oid, kind: 'catalog-missing', address }] : []),
        ...(viewers ? [{ oid, kind: 'viewers', address }] : []),
        ...(values ? [{ oid, kind: 'catalog-values', address }] : []),
        ...(isDeepStrictEqual(present, wanted.get(oid) ?? []) ? [] : [{ oid, kind: 'references', address }]),
      ];
    });
    return { last, problems };
  });

/** The check of the index entries for lists, searches and relations. */
export const indexCheck: SiteCheck = {
  name: 'index',
  kinds: {
    'catalog-missing': {
      title: 'Content that no list and no search finds',
      advice: '--repair indexes it; canopy reindex indexes the whole site.',
    },
    'catalog-values': {
      title: 'Content that searches find by other values than it has',
      advice: '--repair indexes it; canopy reindex indexes the whole site.',
    },
    viewers: {
      title: 'Content that lists show to others than those who may view it',
      advice: '--repair writes who may view it.',
    },
    references: {
      title: 'Content whose links and relations are noted wrongly',
      advice: '--repair notes them again.',
    },
  },
  async *find(kernel) {
    for (let after = 0; ; ) {
      const compared = await compareBatch(kernel, after);
      if (!compared) return;
      const { problems, last } = compared;
      if (problems.length > 0) {
        const wanted = new Map(problems.map(({ oid, address }) => [oid, address]));
        yield {
          problems: problems.map(({ kind, address }) => ({ kind, address })),
          mend: (tx) =>
            reindexIn(
              kernel,
              tx,
              [...wanted].map(([oid, path]) => ({ oid, path })),
            ),
        };
      }
      after = last;
    }
  },
};
