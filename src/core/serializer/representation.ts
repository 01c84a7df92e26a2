import type { ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { Target } from '../types/field-kind.ts';
import { atMost, type BatchRequest, batchLinks, batchOf, MAX_WHOLE_OBJECTS } from './batch.ts';
import { loadChildren } from './children.ts';
import type { AnyContent, ContentMembers } from './content-shapes.ts';
import { COLLECTION, collectionItems } from './listing.ts';
import { ObjectRenderer, renderFull } from './object.ts';
import type { RenderContext } from './render-context.ts';
import { loadColumns } from './search-sources.ts';
import { listedColumns } from './summary.ts';
import { loadTargets, uidsOf, visibleTargets } from './targets.ts';

export type RepresentationOptions = {
  /** The children to list; undefined for none. */
  items?: BatchRequest | undefined;
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
  return { items: query.include_items ? batch : undefined, fullObjects };
}

/**
 * Children as listed in their container: content objects of the specification, with the keys of a summary for clients that list children as Plone does,
 * and with the requested columns.
 */
async function renderItems(
  context: RenderContext,
  container: ResolvedNode,
  listed: { children: readonly ContentObject[]; targets: ReadonlyMap<string, Target>; fullObjects: boolean },
): Promise<ContentMembers[]> {
  const { children, targets, fullObjects } = listed;
  const renderer = new ObjectRenderer(context, targets);
  const ancestors = [container.object, ...container.ancestors];
  const linked = visibleTargets(targets);
  const addColumns = await loadColumns(
    context,
    children.map(({ oid }) => oid),
  );
  const items: ContentMembers[] = [];
  for (const child of children) {
    const columns = addColumns(listedColumns(context.site, context.base, child, linked), child.oid);
    const resolved = { object: child, ancestors };
    items.push(fullObjects ? await renderer.whole(resolved, columns) : renderer.members(resolved, columns));
  }
  return items;
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
  // A copy of so many members takes long, and few requests name columns.
  const plain = context.metadataFields.length === 0 ? context : { ...context, metadataFields: [] };
  const own = await renderFull(plain, resolved, targets);
  if (collection && batch) return Object.assign(own, await collectionItems(context, resolved, { batch, fullObjects }));
  if (!listed || !batch) return own;
  const items = await renderItems(context, resolved, { children: listed.items, targets, fullObjects });
  return Object.assign(own, { items, items_total: listed.total }, batchLinks(own['@id'], batch, listed.total));
}
