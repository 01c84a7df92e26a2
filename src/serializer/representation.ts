import { isRoot } from '../content/locate.ts';
import { has } from '../content/permissions.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { ACCESS_INACTIVE } from '../security/permissions.ts';
import type { ContentObject, Located } from '../storage/content-row.ts';
import { listChildren } from '../storage/statements/list-children.ts';
import { visibleNeighbours } from '../storage/statements/visible-neighbours.ts';
import type { Target } from '../types/field-kind.ts';
import { type Batch, type BatchRequest, batchLinks } from './batch.ts';
import { renderComponents } from './components.ts';
import { mayView } from './may-view.ts';
import { renderObject } from './object.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { nodeSummary } from './summary.ts';
import { loadTargets, uidsOf } from './targets.ts';

export type RepresentationOptions = {
  /** Which children to list; undefined for none. */
  items?: BatchRequest;
  /** Children with everything but their own children. */
  fullObjects?: boolean;
};

const NO_ITEMS: Batch<ContentObject> = { items: [], total: 0 };

/** Children of the object that the caller may view; no SQL when it has none at all. */
async function children(context: RenderContext, located: Located, batch: BatchRequest): Promise<Batch<ContentObject>> {
  if (!located.object.hasChildren) return NO_ITEMS;
  return listChildren(context.db, {
    parent: located.object.oid,
    principals: [...context.caller.principals],
    inactive: has(context.site, context.caller, located, ACCESS_INACTIVE),
    limit: batch.size,
    offset: batch.start,
  });
}

/** Links to the neighbours in the container, where it has that switched on (plone.restapi, S14). */
async function relatives(context: RenderContext, { object, ancestors }: Located): Promise<JsonObject> {
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
async function renderFull(
  context: RenderContext,
  located: Located,
  targets: ReadonlyMap<string, Target>,
): Promise<JsonObject> {
  return {
    ...renderObject(context, located, targets),
    ...(await relatives(context, located)),
    '@components': await renderComponents(context, located),
  };
}

/** A child as listed in its container: a content object of the specification, with the columns that were asked for. */
async function renderItem(
  context: RenderContext,
  container: Located,
  child: ContentObject,
  targets: ReadonlyMap<string, Target>,
  full: boolean,
): Promise<JsonObject> {
  const located = { object: child, ancestors: [container.object, ...container.ancestors] };
  return full ? renderFull(context, located, targets) : renderObject(context, located, targets);
}

/**
 * The representation that GET, POST and PATCH answer. References of the object and of all listed
 * children are looked up with one SQL statement.
 */
export async function represent(
  context: RenderContext,
  located: Located,
  { items: batch, fullObjects = false }: RepresentationOptions,
): Promise<JsonObject> {
  const folderish = context.site.types.get(located.object.type)?.folderish ?? false;
  const listed = folderish && batch ? await children(context, located, batch) : undefined;
  const targets = await loadTargets(context, uidsOf(context, [located.object, ...(listed?.items ?? [])]));
  const own = await renderFull({ ...context, metadataFields: [] }, located, targets);
  if (!listed || !batch) return own;
  const items: JsonObject[] = [];
  for (const child of listed.items)
    items.push(await renderItem(context, located, child, targets, fullObjects && !isRoot(child)));
  return { ...own, items, items_total: listed.total, ...batchLinks(String(own['@id']), batch, listed.total) };
}
