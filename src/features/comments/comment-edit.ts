import { reject } from '../../content/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type CommentRequest, conversationForWrite, requireHeldComment } from './comment-conversation.ts';
import { readCommentText } from './comment-text.ts';
import { updateComment } from './statements/comment-changes.ts';

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
