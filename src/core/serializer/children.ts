import { cacheTagsOf } from '../../database/cache-tags.ts';
import { totalsFor } from '../cache/kept-totals.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import { has } from '../content/permissions.ts';
import {
  type ChildRow,
  type ChildrenRequest,
  listChildren,
  listManyChildren,
  MAX_SORTED_CHILDREN,
} from '../content/statements/load-content.ts';
import { readKept } from '../search/read-kept.ts';
import { callerAt } from '../security/caller.ts';
import { ACCESS_INACTIVE } from '../security/permissions.ts';
import type { ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { Batch, BatchRequest } from './batch.ts';
import type { RenderContext } from './render-context.ts';

const batchOf = (rows: ChildRow[], total: number): Batch<ContentObject> => ({
  items: rows.filter(({ oid }) => oid !== null),
  total,
});

/** A batch of many children, whose total is cached until the list of children changes. Undefined when there are not many children. */
async function manyChildren({ db, kernel }: RenderContext, request: ChildrenRequest, isKnown: boolean) {
  const totals = totalsFor(kernel.slots, db);
  const { parent, principals, inactive, limit, offset } = request;
  const key = JSON.stringify(['children', parent, inactive, principals]);
  if (totals === undefined) {
    const rows = isKnown ? await listManyChildren(db, request, {}) : [];
    return isKnown ? batchOf(rows, rows[0]?.total ?? 0) : undefined;
  }
  if (isKnown) totals.expect(key);
  const batch = await readKept<ChildRow>(totals, {
    ...{ key, order: '', isMarked: true, start: offset, size: limit, least: isKnown ? 0 : MAX_SORTED_CHILDREN + 1 },
    footprint: cacheTagsOf([], [parent]),
    read: (from) => listManyChildren(db, request, from),
  });
  return batch && batchOf(batch.rows, batch.total);
}

const NONE: Batch<ContentObject> = { items: [], total: 0 };

/**
 * Children of the object that the caller may view. Runs no SQL for an object without children, and one statement for a moderate number of children.
 */
export async function loadChildren(
  context: RenderContext,
  resolved: ResolvedNode,
  batch: Pick<BatchRequest, 'start' | 'size'>,
): Promise<Batch<ContentObject>> {
  if (!resolved.object.hasChildren) return NONE;
  const request = {
    parent: resolved.object.oid,
    ...viewersOf(context.site, callerAt(context.caller, resolved.object.path)),
    inactive: has(context.site, context.caller, resolved, ACCESS_INACTIVE),
    limit: batch.size,
    offset: batch.start,
  };
  const many = await manyChildren(context, request, false);
  if (many) return many;
  const rows = await listChildren(context.db, request);
  const total = rows[0]?.total ?? 0;
  if (total <= MAX_SORTED_CHILDREN) return batchOf(rows, total);
  return (await manyChildren(context, request, true)) ?? NONE;
}
