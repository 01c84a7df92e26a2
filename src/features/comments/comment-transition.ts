import { reject } from '../../content/permissions.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type CommentRequest, conversationForWrite, requireHeldComment } from './comment-conversation.ts';
import { COMMENT_TRANSITIONS } from './comment-states.ts';
import { updateCommentState } from './statements/comment-changes.ts';

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
