import type { JsonObject } from '../../lib/json-object.ts';
import type { ResolvedNode, TreeNode } from '../../storage/content-row.ts';
import { type Component, componentUrl } from '../components.ts';
import { mayView } from '../may-view.ts';
import { renderObject } from '../object.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { nodeSummary } from '../summary.ts';
import { loadFromChain } from './load-from-chain.ts';
import { navigationRoot } from './navigation-root.ts';

/** Container and neighbours of a navigation root: it has the keys of every representation, but no neighbours. */
function relatives(context: RenderContext, above: readonly TreeNode[]): JsonObject {
  const [parent] = above;
  if (!parent) return { parent: {} };
  const visible = mayView(context, above);
  return { parent: visible ? nodeSummary(context.site, context.base, parent) : {}, previous_item: {}, next_item: {} };
}

/** The representation of the navigation root; of one that the caller may not view, the address alone. */
async function render(context: RenderContext, resolved: ResolvedNode): Promise<JsonObject> {
  const [root, ...above] = navigationRoot(context.site, resolved);
  const address = { '@id': urlOf(context.base, root.path) };
  if (!mayView(context, [root, ...above])) return address;
  const { objects, targets } = await loadFromChain(context, resolved, [root]);
  const whole = objects.get(root.oid);
  // Removed since the request began: what is left of it is its address.
  if (!whole) return address;
  return { ...renderObject({ ...context, metadataFields: [] }, whole, targets), ...relatives(context, above) };
}

/** The navigation root of the object in full, but for its children and components (plone.restapi §7, `@navroot`). */
export const navroot: Component = {
  name: 'navroot',
  async expand(context, resolved) {
    return { '@id': componentUrl(context, resolved, 'navroot'), navroot: await render(context, resolved) };
  },
};
