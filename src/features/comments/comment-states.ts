/** States of comments. Only published ones are shown to everybody. */
export const PUBLISHED = 'published';
export const PENDING = 'pending';
const REJECTED = 'rejected';

/** Transitions of comments, and the state that each leads to (Plone's `comment_review_workflow`). */
export const COMMENT_TRANSITIONS: ReadonlyMap<string, string> = new Map([
  ['publish', PUBLISHED],
  ['reject', REJECTED],
]);
