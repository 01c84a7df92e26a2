import type { Kernel } from '../site/kernel.ts';
import { deleteComment } from '../storage/statements/comment-changes.ts';
import { type CommentRequest, conversationForWrite, needHeldComment } from './comment-conversation.ts';
import { refuse } from './permissions.ts';

/**
 * Removes a comment with all replies to it, also those that the caller is not shown. Throws NotFound, and Unauthorized or
 * Forbidden where the caller may not remove it.
 */
export async function removeComment(kernel: Kernel, { caller, path, id }: CommentRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const conversation = await conversationForWrite(kernel, tx, { caller, path });
    const comment = await needHeldComment(tx, conversation, { id, mode: 'exclusive' });
    if (!conversation.rights.remove(comment)) refuse(caller, 'You may not delete this comment.');
    const { oid } = conversation.located.object;
    await kernel.events.emit('comment.removing', { oid, comment: id }, { tx, caller });
    await deleteComment(tx, id);
  });
}
