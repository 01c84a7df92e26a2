import { viewRuleOf } from '../../configuration/panels/publishing.ts';
import type { Site } from '../../configuration/site/site.ts';
import { wholeObjectsWithTargets } from '../../content/statements/navigation.ts';
import type { ResolvedNode, TreeNode } from '../../types/content-row.ts';
import type { Target } from '../../types/field-kind.ts';
import type { RenderContext } from '../render-context.ts';
import { loadTargets, targetsOfRows, uidsOf } from '../targets.ts';

/** An object and its containers up to the root. */
export const chainOf = ({ object, ancestors }: ResolvedNode): [TreeNode, ...TreeNode[]] => [object, ...ancestors];

/**
 * The navigation root of an object: the nearest object at or above it whose type has the behavior `navigation_root`, else the site root. The result
 * includes the containers of the navigation root.
 */
export function navigationRoot(site: Site, resolved: ResolvedNode): [TreeNode, ...TreeNode[]] {
  const chain = chainOf(resolved);
  const at = chain.findIndex(({ type }) => site.types.get(type)?.behaviorNames.has('navigation_root'));
  // Without a navigation root `at` is -1, and the slice is the last object: the site root.
  const [root, ...above] = chain.slice(at);
  return root ? [root, ...above] : chain;
}

/** Whole objects by their numbers, and the targets of their references. */
type Loaded = { objects: Map<number, ResolvedNode>; targets: ReadonlyMap<string, Target> };

/**
 * Loads the fields of some objects of a chain (an object and its containers), with the targets of their references. Runs one SQL statement, or no
 * statement for the object itself without references.
 */
export async function loadFromChain(
  context: RenderContext,
  resolved: ResolvedNode,
  wanted: readonly TreeNode[],
): Promise<Loaded> {
  const { object } = resolved;
  if (wanted.length === 0) return { objects: new Map(), targets: new Map() };
  if (wanted.every(({ oid }) => oid === object.oid)) {
    return {
      objects: new Map([[object.oid, resolved]]),
      targets: await loadTargets(context, uidsOf(context, [object])),
    };
  }
  const rows = await wholeObjectsWithTargets(
    context.db,
    viewRuleOf(context.site),
    wanted.map(({ oid }) => oid),
  );
  const chain = chainOf(resolved);
  const objects = new Map(
    rows.flatMap((row): [number, ResolvedNode][] => {
      const at = chain.findIndex(({ oid }) => oid === row.oid);
      return at === -1 ? [] : [[row.oid, { object: row, ancestors: chain.slice(at + 1) }]];
    }),
  );
  return { objects, targets: targetsOfRows(context, rows) };
}
