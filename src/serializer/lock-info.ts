import type { JsonObject } from '../lib/json-object.ts';
import type { Lock } from '../storage/content-row.ts';

/** A lock, or that there is none, as `lock` of a representation and as the answer of `@lock` (plone.restapi §3.1). */
export function lockInfo(base: string, lock: Lock | undefined): JsonObject {
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
    token: lock.token,
    name: lock.name,
  };
}
