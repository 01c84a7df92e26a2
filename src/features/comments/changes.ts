import { randomUUID } from 'node:crypto';
import { reject } from '../../content/permissions.ts';
import { BadRequest } from '../../lib/errors.ts';
import { sanitizeHtml } from '../../lib/sanitize-html.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type CommentRequest, conversationForWrite, requireHeldComment } from './conversation.ts';
import { notifyModerator } from './mail.ts';
import { commentSettings } from './panel.ts';
import { deleteComment, insertComment, updateComment, updateCommentState } from './statements.ts';

/** States of comments. Only published ones are shown to everybody. */
export const PUBLISHED = 'published';
export const PENDING = 'pending';
const REJECTED = 'rejected';

/** Transitions of comments, and the state that each leads to (Plone's `comment_review_workflow`). */
export const COMMENT_TRANSITIONS: ReadonlyMap<string, string> = new Map([
  ['publish', PUBLISHED],
  ['reject', REJECTED],
]);

/** Characters of a comment. */
const MOST_TEXT = 10_000;
/** Characters of the name that a visitor gives. */
const MOST_NAME = 200;

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/**
 * Reads the text of a comment of a media type; HTML is cleaned. Throws BadRequest when there is none: `purpose` is what
 * it is needed for, in the words of the contract (Nick, `@comments`).
 */
export function readCommentText(text: unknown, type: string, purpose: 'add' | 'modify'): string {
  const missing = `Text is required to ${purpose} a comment.`;
  if (text === undefined || text === null) throw new BadRequest(missing);
  if (typeof text !== 'string') throw new BadRequest('"text" must be a string.');
  if (!isStorable(text)) throw new BadRequest('"text" is not well-formed text.');
  if (text.length > MOST_TEXT) throw new BadRequest(`"text" is longer than ${MOST_TEXT} characters.`);
  const clean = type === 'text/html' ? sanitizeHtml(text) : text;
  if (clean.trim() === '') throw new BadRequest(missing);
  return clean;
}

/** Reads the name that somebody gives who is not logged in; empty for none. Throws BadRequest. */
export function readAuthorName(name: unknown): string {
  if (name === undefined || name === null) return '';
  if (typeof name !== 'string') throw new BadRequest('"author_name" must be a string.');
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) throw new BadRequest('"author_name" must be one line of text.');
  if (name.length > MOST_NAME) throw new BadRequest(`"author_name" is longer than ${MOST_NAME} characters.`);
  return name.trim();
}

/** Somebody's comment on what lies at `path`; `inReplyTo` is the id of the comment that it answers. */
export type NewComment = {
  caller: Caller;
  path: string;
  inReplyTo: string | undefined;
  text: unknown;
  /** What somebody is called who is not logged in. */
  authorName: unknown;
};

/**
 * Adds a comment, in one transaction with its event and the mail to the moderator. Where the site reviews comments, those
 * of people who may not review wait for it. Answers the id. Throws NotFound, BadRequest, and Unauthorized or Forbidden
 * where the caller may not comment.
 */
export async function addComment(kernel: Kernel, request: NewComment): Promise<string> {
  const { caller, path, inReplyTo, text } = request;
  return kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const { site, resolved, rights } = conversation;
    if (!rights.comment) reject(caller);
    if (!rights.reply) reject(caller, 'This cannot be commented on: comments are closed.');
    const { textType: mimeType, moderated } = commentSettings(site);
    const body = readCommentText(text, mimeType, 'add');
    const authorName = caller.id === null ? readAuthorName(request.authorName) : caller.fullname;
    if (inReplyTo !== undefined) {
      const answered = await requireHeldComment(tx, conversation, { id: inReplyTo, mode: 'shared' });
      if (!rights.replyTo(answered))
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
    await kernel.events.emit('comment.created', { oid, comment: comment.id }, { tx, caller });
    return comment.id;
  });
}

/**
 * Gives a comment another text, of the same media type. The same text again is no change. Throws NotFound, BadRequest, and
 * Unauthorized or Forbidden where the caller may not change it.
 */
export async function editComment(
  kernel: Kernel,
  { caller, path, id, text }: CommentRequest & { text: unknown },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const comment = await requireHeldComment(tx, conversation, { id, mode: 'exclusive' });
    if (!conversation.rights.edit(comment)) reject(caller, 'You may not change this comment.');
    const body = readCommentText(text, comment.mimeType, 'modify');
    if (body === comment.body) return;
    await updateComment(tx, { id, body });
    const { oid } = conversation.resolved.object;
    await kernel.events.emit('comment.changed', { oid, comment: id }, { tx, caller });
  });
}

/**
 * Moves a comment along `publish` or `reject`; one that is there already stays so. Throws NotFound, BadRequest of type
 * WorkflowException for other transitions, and Unauthorized or Forbidden for those who may not review comments.
 */
export async function transitionComment(
  kernel: Kernel,
  { caller, path, id, transition }: CommentRequest & { transition: string },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    if (!conversation.rights.review) reject(caller);
    const { reviewState: from } = await requireHeldComment(tx, conversation, { id, mode: 'exclusive' });
    const to = COMMENT_TRANSITIONS.get(transition);
    if (to === undefined) {
      const valid = [...COMMENT_TRANSITIONS.keys()].join(', ');
      throw new BadRequest(`Invalid transition '${transition}'. Valid transitions are: ${valid}.`, 'WorkflowException');
    }
    if (from === to) return;
    await updateCommentState(tx, { id, state: to });
    const { oid } = conversation.resolved.object;
    await kernel.events.emit('comment.transitioned', { oid, comment: id, from, to }, { tx, caller });
  });
}

/**
 * Removes a comment with all replies to it, also those that the caller is not shown. Throws NotFound, and Unauthorized or
 * Forbidden where the caller may not remove it.
 */
export async function removeComment(kernel: Kernel, { caller, path, id }: CommentRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const comment = await requireHeldComment(tx, conversation, { id, mode: 'exclusive' });
    if (!conversation.rights.remove(comment)) reject(caller, 'You may not delete this comment.');
    const { oid } = conversation.resolved.object;
    await kernel.events.emit('comment.removing', { oid, comment: id }, { tx, caller });
    await deleteComment(tx, id);
  });
}
