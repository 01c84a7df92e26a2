import type { JsonObject } from '../lib/json-object.ts';
import type { Lock } from '../storage/content-row.ts';
import type { RenderContext } from './render-context.ts';

/** A lock, or that there is none, as `lock` of a representation and as the answer of `@lock` (plone.restapi §3.1). */
export function lockInfo({ base, caller }: Pick<RenderContext, 'base' | 'caller'>, lock: Lock | undefined): JsonObject {
  if (!lock) return { locked: false, stealable: true };
  return {
    locked: true,
    stealable: lock.stealable,
    creator: lock.creator,
    creator_name: lock.creator_name,
    creator_url: `${base}/author/${encodeURIComponent(lock.creator)}`,
    created: lock.created,
    time: Date.parse(lock.created) / 1000,
    timeout: lock.timeout,
    // Whoever has the token may change what is locked: it is for the holder only.
    ...(lock.creator === caller.id ? { token: lock.token } : {}),
    name: lock.name,
  };
}
