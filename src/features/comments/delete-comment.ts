import { VIEW } from '../../security/permissions.ts';
import { defineService, noContent } from '../../services/service.ts';
import { removeComment } from './comment-remove.ts';

/** DELETE `@comments/<id>`: removes a comment. Who may do so depends on whose it is. */
export const deleteComment = defineService({
  name: '@comments',
  method: 'DELETE',
  context: 'content',
  permission: VIEW,
  summary:
    "Removes a comment with all replies: one's own without replies, or any with the permission to delete comments.",
  rest: ['{comment}'],
  responses: { 204: { description: 'Removed.' } },
  async run({ kernel, caller, resolved, rest }) {
    await removeComment(kernel, { caller, path: resolved.object.path, id: rest[0] ?? '' });
    return noContent();
  },
});
