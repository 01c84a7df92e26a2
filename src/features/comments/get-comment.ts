import { VIEW } from '../../security/permissions.ts';
import { defineService, ok } from '../../services/service.ts';
import { requireComment } from './comment-conversation.ts';
import { commentJson } from './comment-json.ts';
import { commentRights } from './comment-rights.ts';
import { Comment } from './comment-schemas.ts';

/** GET `@comments/<id>`: one comment. */
export const getComment = defineService({
  name: '@comments',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Represents one comment.',
  rest: ['{comment}'],
  responses: { 200: { description: 'The comment.', schema: Comment } },
  async run(context) {
    const { db, site, caller, resolved, rest } = context;
    const rights = commentRights(site, caller, resolved);
    const comment = await requireComment(db, { site, caller, resolved, rights }, rest[0] ?? '');
    return ok(commentJson(context, rights, comment));
  },
});
