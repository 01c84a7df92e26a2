import { callers, has, permissions, publishing, type RenderContext, type ResolvedNode } from '#core';
import type { FeedScope } from './statements/feed-rows.ts';

/** Number of objects of a feed that are in memory at a time. */
export const FEED_BATCH = 500;

/** The scope of the content below an object that the caller gets in feeds. */
export function feedScope({ site, caller }: RenderContext, resolved: ResolvedNode): FeedScope {
  return {
    path: resolved.object.path,
    ...publishing.viewersOf(site, callers.at(caller, resolved.object.path)),
    inactive: has(site, caller, resolved, permissions.ACCESS_INACTIVE),
  };
}

/**
 * Reads a list to its end, a batch at a time: `read` returns at most `FEED_BATCH` objects behind a path, in the order of paths. No connection is held
 * between two batches, so a slow client does not block others.
 */
export async function* feedBatches<Row extends { path: string }>(
  read: (after: string | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: string | undefined;
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < FEED_BATCH) return;
    after = rows.at(-1)?.path;
  }
}
