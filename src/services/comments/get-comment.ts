import { needComment } from '../../content/comment-conversation.ts';
import { commentRights } from '../../content/comment-rights.ts';
import { VIEW } from '../../security/permissions.ts';
import { defineService, ok } from '../service.ts';
import { commentJson } from './comment-json.ts';
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
  async run(call) {
    const { db, site, caller, located, rest } = call;
    const rights = commentRights(site, caller, located);
    const comment = await needComment(db, { site, caller, located, rights }, rest[0] ?? '');
    return ok(commentJson(call, rights, comment));
  },
});
