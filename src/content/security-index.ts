import { type SecurityNode, viewersOf } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { TreeNode } from '../storage/content-row.ts';
import type { Queryable } from '../storage/database.ts';
import { subtreeNodes, writeAllowed } from '../storage/statements/catalog.ts';
import { securityNode } from './permissions.ts';
import { parentPath } from './tree-path.ts';

/** Rows that are written with one statement. */
const BATCH = 5000;

/**
 * Brings the index of viewers up to date for an object and everything below it, after a change of
 * its state, local roles or place. `ancestors` begin with the container. Only rows that differ are
 * written: three statements for a subtree of any size up to a batch.
 */
export async function indexSecurity(
  tx: Queryable,
  site: Site,
  path: string,
  ancestors: readonly TreeNode[],
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const chains = new Map<string, SecurityNode[]>();
  const changed: { oid: number; allowed: string }[] = [];
  for (const node of await subtreeNodes(tx, path)) {
    const chain = [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)];
    chains.set(node.path, chain);
    const allowed = JSON.stringify(viewersOf(chain, site.roleMap));
    if (node.allowed === null || JSON.stringify(node.allowed) !== allowed) changed.push({ oid: node.oid, allowed });
  }
  for (let at = 0; at < changed.length; at += BATCH) {
    const batch = changed.slice(at, at + BATCH);
    await writeAllowed(
      tx,
      batch.map(({ oid }) => oid),
      batch.map(({ allowed }) => allowed),
    );
  }
}
