import { isRoot } from '../content/locate.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { Slot } from '../lib/slots.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { type RenderContext, urlOf } from './render-context.ts';

/** A service of content that can be embedded in its representation. */
export type Component = {
  name: string;
  /** The root lists it only when the request expands it (specification, `@components`). */
  hiddenOnRoot?: boolean;
  /** Its own address returns 401 to Anonymous. In representations for Anonymous it stays a link, so that the rest is served. */
  needsAccount?: boolean;
  /** Returns its content, which its own address returns as well. */
  expand(context: RenderContext, resolved: ResolvedNode): Promise<unknown>;
};

/** The components of a kernel by their names, in alphabetical order. */
export const COMPONENTS = new Slot<ReadonlyMap<string, Component>>('components');

/** Address of a component of an object. */
export const componentUrl = (context: RenderContext, { object }: ResolvedNode, name: string): string =>
  `${urlOf(context.base, object.path)}/@${name}`;

/** `@components` of an object: the content of those that the request expands, and a link for each of the others. */
export async function renderComponents(context: RenderContext, resolved: ResolvedNode): Promise<JsonObject> {
  const rendered: JsonObject = {};
  for (const { name, hiddenOnRoot, needsAccount, expand } of context.kernel.slots.get(COMPONENTS).values()) {
    const open = !needsAccount || context.caller.id !== null;
    if (context.expand.has(name) && open) rendered[name] = await expand(context, resolved);
    else if (!(hiddenOnRoot && isRoot(resolved.object)))
      rendered[name] = { '@id': componentUrl(context, resolved, name) };
  }
  return rendered;
}

/**
 * The options of one component under their short names: `expand.navigation.depth=2` as `depth=2`. Of several values
 * the last one stays.
 */
export function componentOptions({ expandOptions }: RenderContext, component: string): URLSearchParams {
  const prefix = `expand.${component}.`;
  const options = new URLSearchParams();
  for (const [name, values] of expandOptions) {
    const value = values.at(-1);
    if (name.startsWith(prefix) && value !== undefined) options.set(name.slice(prefix.length), value);
  }
  return options;
}
