import { reject } from '../../content/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type CommentRequest, conversationForWrite, requireHeldComment } from './comment-conversation.ts';
import { deleteComment } from './statements/comment-changes.ts';

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
