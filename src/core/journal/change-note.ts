import type { JsonObject } from '../../lib/json-object.ts';

/** Events of the feed of changes. If one transaction has several of these events for an object, the first one in this list counts. */
export const FEED_EVENTS = ['created', 'restored', 'removed', 'moved', 'state', 'rights', 'changed'] as const;

/** An event of the feed of changes. */
export type FeedEvent = (typeof FEED_EVENTS)[number];

/**
 * A change of content for the feed of changes. The feed itself finds the old and the new place and viewers of the object. `data` are details for
 * users who see it before and after. With `below` the feed also covers the objects below. Without `event` the feed has an event only if the place or
 * the viewers differ.
 */
type ContentNote = { content: number; event?: FeedEvent; data?: JsonObject; below?: true };

/** A change for the feed of changes: of one object with the objects below it, or of the viewers of `anything`, which the feed finds later. */
export type ChangeNote = ContentNote | 'anything';
