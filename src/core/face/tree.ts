/**
 * The content tree. Each operation makes the checks for the same request of a client, emits its events, and is a transaction of its own unless the
 * caller gives one as `tx`. Operations on locked objects are parts of a larger operation, which makes the checks.
 */
export { copyContent as copy, copyHeld } from '../content/copy-content.ts';
export { createContent as create } from '../content/create-content.ts';
export { moveContent as move, placeContent as place } from '../content/move-content.ts';
export { freeName } from '../content/name-chooser.ts';
export { reorderChildren as reorder } from '../content/order-children.ts';
export { removeContent as remove, removeHeld } from '../content/remove-content.ts';
export { updateContent as update } from '../content/update-content.ts';
