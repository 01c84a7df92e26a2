import { isRoot } from '../content/locate.ts';
import type { ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { Target } from '../types/field-kind.ts';
import { atMost, type BatchRequest, batchLinks, batchOf, MAX_WHOLE_OBJECTS } from './batch.ts';
import { loadChildren } from './children.ts';
import type { AnyContent, ContentMembers } from './content-shapes.ts';
import { COLLECTION, collectionItems } from './listing.ts';
import { renderFull, renderObject } from './object.ts';
import type { RenderContext } from './render-context.ts';
import { loadColumns } from './search-sources.ts';
import { listedColumns } from './summary.ts';
import { loadTargets, uidsOf, visibleTargets } from './targets.ts';

export type RepresentationOptions = {
  /** The children to list; undefined for none. */
  items?: BatchRequest;
  /** True for children as whole objects, without their own children. */
  fullObjects?: boolean;
};

/** Maximum number of children in one response, because each child comes with all of its fields. */
const MAX_CHILDREN = 1000;

/** The parameters of a query that decide on the children in a representation. */
export type ItemQuery = {
  include_items: boolean;
  /** The parameter counts when it is present, with any value (plone.restapi §1.5). */
  fullobjects?: string | undefined;
  b_start: number;
  b_size: number;
};

/** Returns the batch of children that a query requests. Links to other batches are made from `searchParams`. */
export function itemOptions(query: ItemQuery, searchParams: URLSearchParams): RepresentationOptions {
  const fullObjects = query.fullobjects !== undefined;
  const batch = atMost(batchOf(query, searchParams), fullObjects ? MAX_WHOLE_OBJECTS : MAX_CHILDREN);
  return { ...(query.include_items ? { items: batch } : {}), fullObjects };
}

/**
 * A child as listed in its container: a content object of the specification, with the keys of a summary for clients that list children as Plone does,
 * and with the requested columns.
 */
async function renderItem(
  context: RenderContext,
  container: ResolvedNode,
  child: ContentObject,
  targets: ReadonlyMap<string, Target>,
  full: boolean,
): Promise<ContentMembers> {
  const resolved = { object: child, ancestors: [container.object, ...container.ancestors] };
  const columns = listedColumns(context.site, context.base, child, visibleTargets(targets));
  const object = full ? await renderFull(context, resolved, targets) : renderObject(context, resolved, targets);
  return { ...columns, ...object };
}

/** The representation that GET, POST and PATCH return. One SQL statement loads the targets of the references of all listed objects. */
export async function represent(
  context: RenderContext,
  resolved: ResolvedNode,
  { items: batch, fullObjects = false }: RepresentationOptions,
): Promise<AnyContent> {
  const type = context.site.types.get(resolved.object.type);
  const collection = type?.behaviorNames.has(COLLECTION) ?? false;
  const listed = type?.folderish && !collection && batch ? await loadChildren(context, resolved, batch) : undefined;
  const targets = await loadTargets(context, uidsOf(context, [resolved.object, ...(listed?.items ?? [])]));
  const own = await renderFull({ ...context, metadataFields: [] }, resolved, targets);
  if (collection && batch) return { ...own, ...(await collectionItems(context, resolved, { batch, fullObjects })) };
  if (!listed || !batch) return own;
  const items: ContentMembers[] = [];
  const columnsOf = await loadColumns(
    context,
    listed.items.map(({ oid }) => oid),
  );
  for (const child of listed.items)
    items.push({
      ...columnsOf(child.oid),
      ...(await renderItem(context, resolved, child, targets, fullObjects && !isRoot(child))),
    });
  return { ...own, items, items_total: listed.total, ...batchLinks(own['@id'], batch, listed.total) };
}
