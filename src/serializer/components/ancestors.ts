import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode, TreeNode } from '../../storage/content-row.ts';
import type { Behavior } from '../../types/definition.ts';
import { type Component, componentUrl } from '../components.ts';
import { renderObject } from '../object.ts';
import { mayView, type RenderContext, urlOf } from '../render-context.ts';
import { nodeSummary } from '../summary.ts';
import { chainOf, loadFromChain, navigationRoot } from './chain.ts';

/**
 * The way from below the navigation root to the object (plone.restapi §7, `@breadcrumbs`; `root` as in Nick). Containers
 * that the caller may not view are called by their id: the address tells it anyway, but not the title.
 */
export const breadcrumbs: Component = {
  name: 'breadcrumbs',
  hiddenOnRoot: true,
  async expand(context, resolved) {
    const chain = chainOf(resolved);
    const root = navigationRoot(context.site, resolved);
    const items = chain.slice(0, chain.length - root.length).map((node, i) => ({
      '@id': urlOf(context.base, node.path),
      title: mayView(context, chain.slice(i)) ? (node.navTitle ?? node.title) : node.name,
    }));
    return { '@id': componentUrl(context, resolved, 'breadcrumbs'), items: items.reverse(), root: root[0].path };
  },
};

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

/** Names of behaviors that the request asks for: separated by commas or repeated. */
const namesOf = ({ expandOptions }: RenderContext): Set<string> =>
  new Set(
    (expandOptions.get('expand.inherit.behaviors') ?? [])
      .flatMap((value) => value.split(','))
      .map((name) => name.trim()),
  );

/** The behavior with an id or an alias. */
const behaviorOf = (site: Site, name: string): Behavior | undefined =>
  site.behaviors.get(name) ?? [...site.behaviors.values()].find(({ aliases = [] }) => aliases.includes(name));

type Source = { name: string; behavior: Behavior; node: TreeNode };

/** For each behavior that is asked for, the nearest object at or above that has it and that the caller may view. */
function sources(context: RenderContext, resolved: ResolvedNode): Source[] {
  const chain = chainOf(resolved);
  const visible = chain.filter((_node, i) => mayView(context, chain.slice(i)));
  return [...namesOf(context)].flatMap((name) => {
    const behavior = behaviorOf(context.site, name);
    const node = behavior && visible.find(({ type }) => context.site.types.get(type)?.behaviorNames.has(behavior.id));
    return behavior && node ? [{ name, behavior, node }] : [];
  });
}

/** Values of behaviors from the nearest object that has them (plone.restapi §7, `@inherit`), under the names that were asked for. */
export const inherit: Component = {
  name: 'inherit',
  hiddenOnRoot: true,
  async expand(context, resolved) {
    const found = sources(context, resolved);
    const { objects, targets } = await loadFromChain(
      context,
      resolved,
      found.map(({ node }) => node),
    );
    const plain = { ...context, metadataFields: [] };
    const rendered = new Map([...objects].map(([oid, whole]) => [oid, renderObject(plain, whole, targets)]));
    const inherited: JsonObject = { '@id': componentUrl(context, resolved, 'inherit') };
    for (const { name, behavior, node } of found) {
      const values = rendered.get(node.oid);
      if (!values) continue;
      const names = Object.keys(behavior.properties ?? {}).filter((field) => Object.hasOwn(values, field));
      inherited[name] = {
        from: { '@id': urlOf(context.base, node.path), title: node.title },
        data: Object.fromEntries(names.map((field) => [field, values[field]])),
      };
    }
    return inherited;
  },
};
