/** Rules for responses in caches outside of the server: a feature fills the slot, and the request path calls the feature. */
export {
  FOR_NOBODY_ELSE,
  MAX_MAKING_MS,
  OUTSIDE_CACHING as SLOT,
  type OutsideCaching as Caching,
  type OutsideFacts as Facts,
  type OutsideHeaders as Headers,
} from '../http/outside-caches.ts';
