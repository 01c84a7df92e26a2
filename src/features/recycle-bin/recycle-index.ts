import { catalogRowOf, referencesOf } from '../../content/index-content.ts';
import { securityNode } from '../../content/security-chain.ts';
import { parentPath } from '../../content/tree-path.ts';
import type { SecurityNode } from '../../security/role-settings.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { TreeNode } from '../../storage/content-row.ts';
import type { Queryable } from '../../storage/database.ts';
import { insertCatalogRows, subtreeNodes } from '../../storage/statements/catalog-rows.ts';
import { insertReferences } from '../../storage/statements/import-content.ts';
import { restoredObjects } from './statements/recycle-restore.ts';

/** Objects whose fields are in memory at once. */
const BATCH = 500;

/**
 * Makes the catalog and the references of restored content, which has none, as they are with the present types,
 * workflows and roles. `ancestors` begin with the container.
 */
export async function indexRestored(
  kernel: Kernel,
  tx: Queryable,
  { site, path, ancestors }: { site: Site; path: string; ancestors: readonly TreeNode[] },
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const nodes = await subtreeNodes(tx, path);
  const chains = new Map<string, SecurityNode[]>();
  for (const node of nodes)
    chains.set(node.path, [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)]);
  for (let at = 0; at < nodes.length; at += BATCH) {
    const oids = nodes.slice(at, at + BATCH).map(({ oid }) => oid);
    const objects = await restoredObjects(tx, oids);
    await insertCatalogRows(
      tx,
      objects.map((object) => catalogRowOf(site, object, chains.get(object.path) ?? above)),
    );
    await insertReferences(
      tx,
      objects.map((object) => ({ oid: object.oid, references: referencesOf(kernel, site, object) })),
    );
  }
}
