import { randomUUID } from 'node:crypto';
import { reject } from '../../content/permissions.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { conversationForWrite, requireHeldComment } from './comment-conversation.ts';
import { notifyModerator } from './comment-mail.ts';
import { commentSettings } from './comment-settings.ts';
import { PENDING, PUBLISHED } from './comment-states.ts';
import { readAuthorName, readCommentText } from './comment-text.ts';
import { insertComment } from './statements/comment-changes.ts';

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
