/** How caches outside of the server keep responses: a feature fills the slot, and the request path asks it. */
export {
  FOR_NOBODY_ELSE,
  MAX_MAKING_MS,
  OUTSIDE_CACHING as SLOT,
  type OutsideCaching as Caching,
  type OutsideFacts as Facts,
  type OutsideHeaders as Headers,
} from '../http/outside-caches.ts';
