import { type Static, Type } from 'typebox';
import type { JsonObject } from '../../../lib/json-object.ts';
import { Address, Extensible } from '../../../lib/schema/shapes.ts';
import { speaksPlone } from '../../configuration/site/plone-names.ts';
import type { Site } from '../../configuration/site/site.ts';
import { isRoot } from '../../content/locate.ts';
import type { ResolvedNode, TreeNode } from '../../types/content-row.ts';
import type { Behavior } from '../../types/definition.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { renderObject } from '../object.ts';
import { mayView, type RenderContext, urlOf } from '../render-context.ts';
import { nodeSummary } from '../summary.ts';
import { chainOf, loadFromChain, navigationRoot } from './chain.ts';

/**
 * The path from below the navigation root to the object (plone.restapi §7, `@breadcrumbs`). `root` is a path as in Nick, or an
 * address as in Plone. Containers
 * that the caller may not view appear under their id, which the address reveals anyway, without their title.
 */
export const breadcrumbs = defineComponent({
  name: 'breadcrumbs',
  schema: Type.Object({
    '@id': Address,
    items: Type.Array(Type.Object({ '@id': Address, title: Type.String() })),
    root: Type.String({ description: 'Path of the navigation root; on a Plone site its address.' }),
  }),
  // By the specification the root does not link the component, in Plone it does.
  isLinked: (site, { object }) => speaksPlone(site) || !isRoot(object),
  async expand(context, resolved) {
    const chain = chainOf(resolved);
    const root = navigationRoot(context.site, resolved);
    const items = chain.slice(0, chain.length - root.length).map((node, i) => ({
      '@id': urlOf(context.base, node.path),
      title: mayView(context, chain.slice(i)) ? (node.navTitle ?? node.title) : node.name,
    }));
    const [{ path }] = root;
    return {
      '@id': componentUrl(context, resolved, 'breadcrumbs'),
      items: items.reverse(),
      root: speaksPlone(context.site) ? urlOf(context.base, path) : path,
    };
  },
});

/** The keys `parent`, `previous_item` and `next_item` of a navigation root, which has no neighbours. */
function relatives(context: RenderContext, above: readonly TreeNode[]): JsonObject {
  const [parent] = above;
  if (!parent) return { parent: {} };
  const visible = mayView(context, above);
  return { parent: visible ? nodeSummary(context.site, context.base, parent) : {}, previous_item: {}, next_item: {} };
}

/** The navigation root: its representation, or only its address. */
const NavigationRoot = Extensible({ '@id': Address });

/** The representation of the navigation root, or only its address when the caller may not view it. */
async function render(context: RenderContext, resolved: ResolvedNode): Promise<Static<typeof NavigationRoot>> {
  const [root, ...above] = navigationRoot(context.site, resolved);
  const address = { '@id': urlOf(context.base, root.path) };
  if (!mayView(context, [root, ...above])) return address;
  const { objects, targets } = await loadFromChain(context, resolved, [root]);
  const whole = objects.get(root.oid);
  // The navigation root has been removed since the request began, so only its address is left.
  if (!whole) return address;
  return Object.assign(renderObject({ ...context, metadataFields: [] }, whole, targets), relatives(context, above));
}

/** The navigation root of the object, without its children and components (plone.restapi §7, `@navroot`). */
export const navroot = defineComponent({
  name: 'navroot',
  schema: Type.Object({ '@id': Address, navroot: NavigationRoot }),
  async expand(context, resolved) {
    return { '@id': componentUrl(context, resolved, 'navroot'), navroot: await render(context, resolved) };
  },
});

/** The behavior with an id or an alias. */
const behaviorOf = (site: Site, name: string): Behavior | undefined =>
  site.behaviors.get(name) ?? [...site.behaviors.values()].find(({ aliases = [] }) => aliases.includes(name));

type Source = { name: string; behavior: Behavior; node: TreeNode };

/** For each requested behavior, the nearest object at or above that has it and that the caller may view. */
function sources(context: RenderContext, resolved: ResolvedNode, names: readonly string[]): Source[] {
  const chain = chainOf(resolved);
  const visible = chain.filter((_node, i) => mayView(context, chain.slice(i)));
  return [...new Set(names)].flatMap((name) => {
    const behavior = behaviorOf(context.site, name);
    const node = behavior && visible.find(({ type }) => context.site.types.get(type)?.behaviorNames.has(behavior.id));
    return behavior && node ? [{ name, behavior, node }] : [];
  });
}

/** Values of behaviors from the nearest object that has them (plone.restapi §7, `@inherit`), under the requested names. */
export const inherit = defineComponent({
  name: 'inherit',
  isLinked: (_site, { object }) => !isRoot(object),
  schema: Extensible({ '@id': Address }, { description: 'For each behavior: where it comes from, and its fields.' }),
  options: Type.Object({
    behaviors: Type.Array(Type.String(), {
      description: 'Ids or other names of behaviors, separated by commas or repeated.',
      commas: true,
      default: [],
    }),
  }),
  async expand(context, resolved, { behaviors }) {
    const found = sources(context, resolved, behaviors);
    const { objects, targets } = await loadFromChain(
      context,
      resolved,
      found.map(({ node }) => node),
    );
    const plain = { ...context, metadataFields: [] };
    const rendered = new Map([...objects].map(([oid, whole]) => [oid, renderObject(plain, whole, targets)]));
    const url = componentUrl(context, resolved, 'inherit');
    // plone.restapi returns the address with the query, Nick without it.
    const asked = speaksPlone(context.site) ? behaviors.map(encodeURIComponent).join(',') : '';
    const inherited: JsonObject & { '@id': string } = {
      '@id': asked === '' ? url : `${url}?expand.inherit.behaviors=${asked}`,
    };
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
});
