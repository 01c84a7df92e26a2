import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { defineService, ok } from '../../services/service.ts';
import { viewOf } from './comment-conversation.ts';
import { commentJson, commentsUrl } from './comment-json.ts';
import { commentRights } from './comment-rights.ts';
import { Comment } from './comment-schemas.ts';
import { listComments } from './statements/comment-rows.ts';

/** Comments in an answer unless `b_size` says otherwise (plone.restapi §6.1). */
const BATCH = 25;

/** GET `@comments`: the comments on content, thread by thread. */
export const getComments = defineService({
  name: '@comments',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Lists the comments on content: replies behind what they reply to, the oldest first.',
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Comments to skip.', default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Comments in the answer.', default: BATCH })),
  }),
  responses: {
    200: {
      description: 'The comments that the caller is shown.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(Comment),
        items_total: Type.Integer(),
        permissions: Type.Object({ view_comments: Type.Boolean(), can_reply: Type.Boolean() }),
        batching: Type.Optional(Type.Object({}, { description: 'Addresses of other parts of the list.' })),
      }),
    },
  },
  async run(context) {
    const { db, site, caller, resolved, searchParams } = context;
    const batch = readBatch(searchParams, BATCH);
    const rights = commentRights(site, caller, resolved);
    const view = viewOf({ site, caller, resolved, rights });
    const { items, total } = rights.view ? await listComments(db, view, batch) : { items: [], total: 0 };
    const url = commentsUrl(context);
    return ok({
      '@id': url,
      items: items.map((comment) => commentJson(context, rights, comment)),
      items_total: total,
      permissions: { view_comments: rights.view, can_reply: rights.reply },
      ...batchLinks(url, batch, total),
    });
  },
});
