/** Permissions that only comments ask for, in Plone's spelling. */
export const VIEW_COMMENTS = 'View comments';
export const REPLY_TO_ITEM = 'Reply to item';
export const EDIT_COMMENTS = 'Edit comments';
export const DELETE_COMMENTS = 'Delete comments';
export const DELETE_OWN_COMMENTS = 'Delete own comments';
export const REVIEW_COMMENTS = 'Review comments';
