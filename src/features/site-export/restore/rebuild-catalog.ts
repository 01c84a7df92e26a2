import type { Site } from '../../../core/configuration/site/site.ts';
import { catalogRowsOf } from '../../../core/content/reindex-site.ts';
import { pathsTo } from '../../../core/content/tree-path.ts';
import {
  reindexNodes,
  reindexObjects,
  subtreeNodes,
  writeCatalogRows,
} from '../../../core/search/statements/catalog.ts';
import type { Queryable } from '../../../database/database.ts';

const BATCH = 200;

/** Makes the catalog of what is at and below a path, in a transaction that has written it. */
export async function rebuildCatalog(
  tx: Queryable,
  site: Site,
  path: string,
  done: (objects: number) => void,
): Promise<void> {
  for (let after = ''; ; ) {
    const nodes = await subtreeNodes(tx, path, { after, limit: BATCH });
    const objects = await reindexObjects(
      tx,
      nodes.map(({ oid }) => oid),
    );
    const ways = [...new Set(nodes.flatMap((node) => pathsTo(node.path)))];
    await writeCatalogRows(tx, catalogRowsOf(site, objects, await reindexNodes(tx, ways)));
    done(nodes.length);
    if (nodes.length < BATCH) return;
    after = nodes.at(-1)?.path ?? '';
  }
}
