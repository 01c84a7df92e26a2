import { type SecurityNode, viewersOf } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { TreeNode } from '../storage/content-row.ts';
import type { Queryable } from '../storage/database.ts';
import { subtreeNodes } from '../storage/statements/catalog.ts';
import { copyCatalogRows } from '../storage/statements/subtrees.ts';
import { securityNode } from './security-chain.ts';
import { parentPath } from './tree-path.ts';

/**
 * Writes the catalog rows of a copied subtree: what searches need is that of the originals, who may view follows from
 * the place of the copies. Two statements for a subtree of any size. `ancestors` begin with the container.
 */
export async function indexCopies(
  tx: Queryable,
  site: Site,
  { from, to, ancestors }: { from: string; to: string; ancestors: readonly TreeNode[] },
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const chains = new Map<string, SecurityNode[]>();
  const viewers = (await subtreeNodes(tx, to)).map((node) => {
    const chain = [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)];
    chains.set(node.path, chain);
    return { path: node.path, allowed: JSON.stringify(viewersOf(chain, site.roleMap)) };
  });
  await copyCatalogRows(tx, { from, to, viewers });
}
