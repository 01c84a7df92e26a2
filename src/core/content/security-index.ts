import type { Queryable } from '../../database/database.ts';
import { loadBatches } from '../../lib/batches.ts';
import type { Site } from '../configuration/site/site.ts';
import { subtreeNodes, type WrittenViewers, writeAllowed } from '../search/statements/catalog.ts';
import { removeViewer } from '../search/statements/viewers.ts';
import { inactiveViewersOf, passedOn, type SecurityNode, viewersOf } from '../security/can.ts';
import type { TreeNode } from '../types/content-row.ts';
import { securityNode } from './permissions.ts';
import { removeLocalRoles } from './statements/content-rows.ts';
import { parentPath } from './tree-path.ts';

/** Number of objects that one statement reads and writes. */
const BATCH = 5000;

/** The viewers of the first node of a security chain, in their stored form. */
export const writtenViewers = (site: Site, chain: readonly SecurityNode[]): WrittenViewers => ({
  allowed: JSON.stringify(viewersOf(chain, site.roleMap)),
  inactiveAllowed: JSON.stringify(inactiveViewersOf(chain, site.roleMap)),
});

/** Says if an object would have the same viewers in both containers. Each list begins with a container and ends with the root. */
export function areSeenAlike(site: Site, one: readonly TreeNode[], other: readonly TreeNode[]): boolean {
  const [a, b] = [one, other].map((nodes) =>
    passedOn(
      nodes.map((node) => securityNode(site, node)),
      site.roleMap,
    ),
  );
  return a === b;
}

/**
 * Brings the index of viewers up to date for an object and everything below it, after a change of its state, local roles or place. `ancestors` begin
 * with the container. Only rows that differ are written: two statements for a subtree up to the size of a batch, and only one batch of objects is in
 * memory at once. Returns the numbers of the objects whose rows differ.
 */
export async function indexSecurity(
  tx: Queryable,
  site: Site,
  path: string,
  ancestors: readonly TreeNode[],
): Promise<number[]> {
  const differing: number[] = [];
  const above = ancestors.map((node) => securityNode(site, node));
  const chains = new Map<string, SecurityNode[]>();
  const load = (last: { path: string } | undefined) =>
    subtreeNodes(tx, path, { after: last?.path ?? '', limit: BATCH });
  for await (const nodes of loadBatches(BATCH, load)) {
    const changed: ({ oid: number } & WrittenViewers)[] = [];
    for (const node of nodes) {
      const chain = [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)];
      chains.set(node.path, chain);
      const written = writtenViewers(site, chain);
      if (
        JSON.stringify(node.allowed) !== written.allowed ||
        JSON.stringify(node.inactiveAllowed) !== written.inactiveAllowed
      )
        changed.push({ oid: node.oid, ...written });
    }
    if (changed.length > 0) await writeAllowed(tx, changed);
    for (const { oid } of changed) differing.push(oid);
  }
  return differing;
}

/** Removes all local roles of one principal (`user:<id>` or `group:<id>`) from all content, and the principal from the index of viewers. */
export async function dropLocalRoles(tx: Queryable, principal: string): Promise<void> {
  await removeLocalRoles(tx, principal);
  await removeViewer(tx, principal);
}
