import type { JsonObject } from '../../lib/json-object.ts';

/** Events of the feed of changes. The first of those that a transaction has done to one object comes first. */
export const FEED_EVENTS = ['created', 'restored', 'removed', 'moved', 'state', 'rights', 'changed'] as const;

/** An event of the feed of changes. */
export type FeedEvent = (typeof FEED_EVENTS)[number];

/**
 * A change of content for the feed of changes. The feed itself finds out where the object was and is, and who sees it before and after.
 * `data` are details for those who see it before and after. With `below` the feed looks for others in the subtree, too. Without `event`
 * there is one only if the object is elsewhere, or others see it.
 */
type ContentNote = { content: number; event?: FeedEvent; data?: JsonObject; below?: true };

/** A change for the feed of changes: of one object with what is below it, or of who sees `anything`, which is found out later. */
export type ChangeNote = ContentNote | 'anything';
