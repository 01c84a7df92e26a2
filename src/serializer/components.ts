import { isRoot } from '../content/locate.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { Slot } from '../lib/slots.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { type RenderContext, urlOf } from './render-context.ts';

/** A service of content that can be embedded in its representation. */
export type Component = {
  name: string;
  /** The root does not list it, but gives it when it is asked for (specification, `@components`). */
  hiddenOnRoot?: boolean;
  /** Its own address answers 401 to Anonymous: in a representation it stays a link then, so that the rest can be had. */
  needsAccount?: boolean;
  /** What its own address answers, too. */
  expand(context: RenderContext, resolved: ResolvedNode): Promise<unknown>;
};

/** The components of a kernel by their names, in alphabetical order. */
export const COMPONENTS = new Slot<ReadonlyMap<string, Component>>('components');

/** Address of a component of an object. */
export const componentUrl = (context: RenderContext, { object }: ResolvedNode, name: string): string =>
  `${urlOf(context.base, object.path)}/@${name}`;

/** `@components` of an object: a link for each, and those that the request names in full. */
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
