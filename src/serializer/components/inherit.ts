import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode, TreeNode } from '../../storage/content-row.ts';
import type { Behavior } from '../../types/definition.ts';
import { type Component, componentUrl } from '../components.ts';
import { mayView } from '../may-view.ts';
import { renderObject } from '../object.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { loadFromChain } from './load-from-chain.ts';
import { chainOf } from './navigation-root.ts';

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
