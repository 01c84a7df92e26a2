import { randomUUID } from 'node:crypto';
import { type Caller, type Kernel, reject } from '#core';
import { BadRequest } from '#lib/errors';
import { sanitizeHtml } from '#lib/text/sanitize-html';
import { type CommentRequest, conversationForWrite, requireLockedComment } from './conversation.ts';
import type { CommentSaid } from './events.ts';
import { notifyModerator } from './mail.ts';
import { commentSettings } from './panel.ts';
import {
  type CommentRow,
  deleteComment,
  insertComment,
  PENDING,
  PUBLISHED,
  updateComment,
  updateCommentState,
} from './statements/comments.ts';

/** The purpose of a text. */
export type CommentPurpose = 'add' | 'modify';

/** Message for clients when a text is missing or empty. */
export const textIsRequired = (purpose: CommentPurpose): string => `Text is required to ${purpose} a comment.`;

const REJECTED = 'rejected';

/** Workflow transitions of comments with their target states (Plone's `comment_review_workflow`). */
const COMMENT_TRANSITIONS: ReadonlyMap<string, string> = new Map([
  ['publish', PUBLISHED],
  ['reject', REJECTED],
]);

/**
 * The text as it is stored: HTML is sanitized. Throws BadRequest when nothing is left, with the message of the contract
 * (Nick, `@comments`) for the given purpose.
 */
function cleanText(text: string, mimeType: string, purpose: CommentPurpose): string {
  const clean = mimeType === 'text/html' ? sanitizeHtml(text) : text;
  if (clean.trim() === '') throw new BadRequest(textIsRequired(purpose));
  return clean;
}

/** The text and author of a stored comment, for subscribers. */
const saidIn = ({ body, author, authorName, inReplyTo }: CommentRow): CommentSaid => ({
  text: body,
  author,
  authorName: authorName ?? '',
  inReplyTo,
});

/** A new comment on the object at `path`; `inReplyTo` is the id of the comment that it replies to. */
export type NewComment = {
  caller: Caller;
  path: string;
  inReplyTo: string | undefined;
  text: string;
  /** Name of a commenter who is not logged in; empty for none. */
  authorName: string;
};

/**
 * Adds a comment, in one transaction with its event and the mail to the moderator. On sites with moderation the comments
 * of people who may not review are pending first. Returns the id. Throws NotFound, BadRequest, and Unauthorized or
 * Forbidden when the caller may not comment.
 */
export async function addComment(kernel: Kernel, request: NewComment): Promise<string> {
  const { caller, path, inReplyTo, text } = request;
  return kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const { site, resolved, rights } = conversation;
    if (!rights.comment) reject(caller);
    if (!rights.reply) reject(caller, 'This cannot be commented on: comments are closed.');
    const { textType: mimeType, moderated } = commentSettings(site);
    const body = cleanText(text, mimeType, 'add');
    const authorName = caller.id === null ? request.authorName.trim() : caller.fullname;
    if (inReplyTo !== undefined) {
      const parent = await requireLockedComment(tx, conversation, { id: inReplyTo, mode: 'shared' });
      if (!rights.replyTo(parent))
        throw new BadRequest('Replies cannot be nested any deeper. Reply to an earlier comment.');
    }
    const { oid } = resolved.object;
    const comment = {
      id: randomUUID(),
      content: oid,
      inReplyTo: inReplyTo ?? null,
      body,
      mimeType,
      author: caller.id,
      authorName,
      reviewState: moderated && !rights.review ? PENDING : PUBLISHED,
    };
    await insertComment(tx, comment);
    await notifyModerator(kernel, tx, site, { object: resolved.object, comment });
    const said = { text: body, author: caller.id, authorName, inReplyTo: inReplyTo ?? null };
    await kernel.events.emit('comment.created', { oid, comment: comment.id, said, site }, { tx, caller });
    return comment.id;
  });
}

/**
 * Replaces the text of a comment; the media type stays. Sending the present text changes nothing and emits no event.
 * Throws NotFound, BadRequest, and Unauthorized or Forbidden when the caller may not change it.
 */
export async function editComment(
  kernel: Kernel,
  { caller, path, id, text }: CommentRequest & { text: string },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const comment = await requireLockedComment(tx, conversation, { id, mode: 'exclusive' });
    if (!conversation.rights.edit(comment)) reject(caller, 'You may not change this comment.');
    const body = cleanText(text, comment.mimeType, 'modify');
    if (body === comment.body) return;
    await updateComment(tx, { id, body });
    const { oid } = conversation.resolved.object;
    await kernel.events.emit('comment.changed', { oid, comment: id }, { tx, caller });
  });
}

/**
 * Applies the transition `publish` or `reject` to a comment; nothing happens when it has the target state already. Throws
 * NotFound, BadRequest of type WorkflowException for other transitions, and Unauthorized or Forbidden for callers who may
 * not review comments.
 */
export async function transitionComment(
  kernel: Kernel,
  { caller, path, id, transition }: CommentRequest & { transition: string },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    if (!conversation.rights.review) reject(caller);
    const comment = await requireLockedComment(tx, conversation, { id, mode: 'exclusive' });
    const { reviewState: from } = comment;
    const to = COMMENT_TRANSITIONS.get(transition);
    if (to === undefined) {
      const valid = [...COMMENT_TRANSITIONS.keys()].join(', ');
      throw new BadRequest(`Invalid transition '${transition}'. Valid transitions are: ${valid}.`, 'WorkflowException');
    }
    if (from === to) return;
    await updateCommentState(tx, { id, state: to });
    const { site, resolved } = conversation;
    const { oid } = resolved.object;
    const event = { oid, comment: id, from, to, said: saidIn(comment), site };
    await kernel.events.emit('comment.transitioned', event, { tx, caller });
  });
}

/**
 * Removes a comment with all replies to it, including replies that the caller cannot see. Throws NotFound, and
 * Unauthorized or Forbidden when the caller may not remove it.
 */
export async function removeComment(kernel: Kernel, { caller, path, id }: CommentRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const comment = await requireLockedComment(tx, conversation, { id, mode: 'exclusive' });
    if (!conversation.rights.remove(comment)) reject(caller, 'You may not delete this comment.');
    const { site, resolved } = conversation;
    const event = { oid: resolved.object.oid, comment: id, said: saidIn(comment), site };
    await kernel.events.emit('comment.removing', event, { tx, caller });
    await deleteComment(tx, id);
  });
}
