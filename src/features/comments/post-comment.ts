import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { defineService } from '../../services/service.ts';
import { admitVisitor } from '../people/admit-visitor.ts';
import { addComment } from './comment-add.ts';
import { commentAt } from './comment-json.ts';
import { REPLY_TO_ITEM } from './comment-permissions.ts';
import { commentRights } from './comment-rights.ts';
import { COMMENT_BODY_LIMIT, LOCATION, NewCommentBody } from './comment-schemas.ts';

/** POST `@comments` and `@comments/<id>`: a comment on content, and a reply to one. */
export const postComment = defineService({
  name: '@comments',
  method: 'POST',
  context: 'content',
  permission: REPLY_TO_ITEM,
  checkPermission: ({ site, caller, resolved }) =>
    has(site, caller, resolved, VIEW) && commentRights(site, caller, resolved).comment,
  summary: 'Adds a comment to content, or a reply to a comment. Where comments are reviewed it is hidden until then.',
  rest: ['', '{comment}'],
  body: NewCommentBody,
  bodyLimit: COMMENT_BODY_LIMIT,
  responses: {
    204: { description: 'Added.', headers: LOCATION },
    429: { description: 'Too many comments of visitors came from this network.' },
  },
  async run(context) {
    const { kernel, caller, resolved, rest, body, clientAddress } = context;
    if (caller.id === null) await admitVisitor(kernel.db, 'comment', clientAddress);
    const id = await addComment(kernel, {
      caller,
      path: resolved.object.path,
      inReplyTo: rest[0],
      text: body.text,
      authorName: body.author_name,
    });
    return commentAt(context, id);
  },
});
