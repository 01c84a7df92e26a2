import {
  catalogRowsOf,
  pathsTo,
  type Queryable,
  reindexNodes,
  reindexObjects,
  type Site,
  subtreeNodes,
  writeCatalogRows,
} from '#core';

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
