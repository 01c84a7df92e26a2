import type { JsonObject } from '../lib/json-object.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { visibleNeighbours } from '../storage/statements/navigation.ts';
import type { Target } from '../types/field-kind.ts';
import { renderComponents } from './components.ts';
import { mayView } from './may-view.ts';
import { renderObject } from './object.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { nodeSummary } from './summary.ts';

/** Links to the neighbours in the container, where it has that switched on (plone.restapi, S14). */
async function relatives(context: RenderContext, { object, ancestors }: ResolvedNode): Promise<JsonObject> {
  const { site, base } = context;
  const [parent] = ancestors;
  if (!parent) return { parent: {} };
  // Of a container that the caller may not view, the address of the object itself has told the name already.
  const known = mayView(context, ancestors)
    ? nodeSummary(site, base, parent)
    : { '@id': urlOf(base, parent.path), title: parent.name };
  const summaries = { parent: known, previous_item: {}, next_item: {} };
  if (!parent.linksNeighbours || object.parent === null) return summaries;
  const { previous, next } = await visibleNeighbours(context.db, {
    parent: object.parent,
    oid: object.oid,
    position: object.position,
    principals: [...context.caller.principals],
  });
  return {
    ...summaries,
    previous_item: previous ? nodeSummary(site, base, previous) : {},
    next_item: next ? nodeSummary(site, base, next) : {},
  };
}

/** A whole object with its parent, neighbours and components, but without children. */
export async function renderFull(
  context: RenderContext,
  resolved: ResolvedNode,
  targets: ReadonlyMap<string, Target>,
): Promise<JsonObject> {
  return {
    ...renderObject(context, resolved, targets),
    ...(await relatives(context, resolved)),
    '@components': await renderComponents(context, resolved),
  };
}
