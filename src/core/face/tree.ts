/**
 * The content tree. Each operation checks what the same request of a client would be checked for, emits its events, and is a
 * transaction of its own unless it gets that of the caller as `tx`. The operations on held objects, which are part of a greater one,
 * leave the checks to it.
 */
export { copyContent as copy, copyHeld } from '../content/copy-content.ts';
export { createContent as create } from '../content/create-content.ts';
export { moveContent as move, placeContent as place } from '../content/move-content.ts';
export { freeName } from '../content/name-chooser.ts';
export { reorderChildren as reorder } from '../content/order-children.ts';
export { removeContent as remove, removeHeld } from '../content/remove-content.ts';
export { updateContent as update } from '../content/update-content.ts';
