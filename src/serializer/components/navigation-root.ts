import type { Site } from '../../site/site.ts';
import type { ResolvedNode, TreeNode } from '../../storage/content-row.ts';

/** An object and its containers up to the root. */
export const chainOf = ({ object, ancestors }: ResolvedNode): [TreeNode, ...TreeNode[]] => [object, ...ancestors];

/**
 * The navigation root of an object: the nearest one at or above it whose type has the behavior `navigation_root`,
 * else the site root. It comes with its containers.
 */
export function navigationRoot(site: Site, resolved: ResolvedNode): [TreeNode, ...TreeNode[]] {
  const chain = chainOf(resolved);
  const at = chain.findIndex(({ type }) => site.types.get(type)?.behaviorNames.has('navigation_root'));
  // When there is none, `at` is -1 and the slice is the last one: the site root.
  const [root, ...above] = chain.slice(at);
  return root ? [root, ...above] : chain;
}
