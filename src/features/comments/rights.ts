import { access, type Caller, type ResolvedNode, type Site, security } from '#core';
import { commentSettings } from './panel.ts';
import { type CommentRow, PUBLISHED } from './statements/comments.ts';

/** Permissions that only comments use, in Plone's spelling. */
export const VIEW_COMMENTS = 'View comments';
export const REPLY_TO_ITEM = 'Reply to item';
const EDIT_COMMENTS = 'Edit comments';
const DELETE_COMMENTS = 'Delete comments';
const DELETE_OWN_COMMENTS = 'Delete own comments';
export const REVIEW_COMMENTS = 'Review comments';

/** Deepest nesting of replies: a thread is always selected from its first comment on. */
const MAX_DEPTH = 100;

/** The rights of a caller over the comments on an object that the caller may view. */
export type CommentRights = {
  view: boolean;
  /** True if the caller may comment wherever comments are open. */
  comment: boolean;
  /** True if the caller may comment on this object. */
  reply: boolean;
  /** True if the caller may see, publish and reject unpublished comments. */
  review: boolean;
  replyTo(comment: CommentRow): boolean;
  edit(comment: CommentRow): boolean;
  remove(comment: CommentRow): boolean;
};

/** True if comments are open: the type has the field `allow_discussion`, and the object or the site allows comments. */
const isOpen = (site: Site, { object }: ResolvedNode): boolean =>
  site.types.get(object.type)?.fieldByName.has('allow_discussion') === true && access.allowsDiscussion(site, object);

/** The security node of a comment, below those of the content: its author has the role Owner on it. */
const nodeOf = ({ author }: CommentRow): security.Node => ({
  localRoles: author === null ? {} : { [`user:${author}`]: ['Owner'] },
  inheritRoles: true,
  settings: {},
});

/**
 * The caller's rights on the comments of an object (plone.restapi, D01 to D05). Authors can delete their own comments as long as they
 * see no reply to them. With moderation, authors cannot change published comments.
 */
export function commentRights(site: Site, caller: Caller, resolved: ResolvedNode): CommentRights {
  const { anonymous, moderated, editable, ownDeletable } = commentSettings(site);
  const chain = access.chain(site, resolved);
  const has = (permission: string, below: security.Node[] = []) =>
    security.can(permission, caller, [...below, ...chain], site.roleMap);
  const comment = has(REPLY_TO_ITEM) || (anonymous && caller.id === null);
  const reply = comment && isOpen(site, resolved);
  const review = has(REVIEW_COMMENTS);
  const isOwn = ({ author }: CommentRow) => caller.id !== null && author === caller.id;
  return {
    view: has(VIEW_COMMENTS),
    comment,
    reply,
    review,
    replyTo: ({ depth }) => reply && depth < MAX_DEPTH,
    edit: (row) =>
      editable && has(EDIT_COMMENTS, [nodeOf(row)]) && (review || !moderated || row.reviewState !== PUBLISHED),
    remove: (row) =>
      has(DELETE_COMMENTS) || (ownDeletable && isOwn(row) && !row.hasReplies && has(DELETE_OWN_COMMENTS)),
  };
}
