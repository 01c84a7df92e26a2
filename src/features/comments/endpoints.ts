import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { NoBody } from '../../services/no-body.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok } from '../../services/service.ts';
import { admitVisitor } from '../people/registration.ts';
import { addComment, editComment, removeComment, transitionComment } from './changes.ts';
import {
  COMMENT_BODY_LIMIT,
  Comment,
  commentAt,
  commentJson,
  commentsUrl,
  LOCATION,
  NewCommentBody,
  TEXT,
} from './comment-json.ts';
import { requireComment, viewOf } from './conversation.ts';
import { commentRights, REPLY_TO_ITEM, REVIEW_COMMENTS } from './rights.ts';
import { listComments } from './statements.ts';

/** Default of `b_size` (plone.restapi §6.1). */
const DEFAULT_BATCH_SIZE = 25;

/** GET `@comments`: the comments on content, thread by thread. */
export const getComments = defineService({
  name: '@comments',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Lists the comments on content: replies behind what they reply to, the oldest first.',
  query: documentedQuery(
    Type.Object({
      b_start: Type.Optional(Type.Integer({ description: 'Comments to skip.', default: 0 })),
      b_size: Type.Optional(Type.Integer({ description: 'Comments in the response.', default: DEFAULT_BATCH_SIZE })),
    }),
  ),
  responses: {
    200: {
      description: 'The comments that the caller may see.',
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
    const batch = readBatch(searchParams, DEFAULT_BATCH_SIZE);
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

/** POST `@comments/<id>/@workflow/<transition>`: publishes or rejects a comment. */
export const postTransition = defineService({
  name: '@comments',
  method: 'POST',
  context: 'content',
  permission: REVIEW_COMMENTS,
  checkPermission: ({ site, caller, resolved }) =>
    [VIEW, REVIEW_COMMENTS].every((permission) => has(site, caller, resolved, permission)),
  summary: 'Shows a comment to everybody (`publish`), or to its author and reviewers alone (`reject`).',
  rest: ['{comment}/@workflow/{transition}'],
  body: NoBody,
  responses: {
    204: { description: 'Done, or so already.', headers: LOCATION },
    400: { description: 'There is no such transition.' },
  },
  async run(context) {
    const { kernel, caller, resolved, rest } = context;
    const [id = '', , transition = ''] = rest;
    await transitionComment(kernel, { caller, path: resolved.object.path, id, transition });
    return commentAt(context, id);
  },
});

/** PATCH `@comments/<id>`: another text. Who may change a comment depends on whose it is. */
export const patchComment = defineService({
  name: '@comments',
  method: 'PATCH',
  context: 'content',
  permission: VIEW,
  summary: "Changes the text of a comment: of one's own, or of others with the permission to edit comments.",
  rest: ['{comment}'],
  body: Type.Object(TEXT, { additionalProperties: true, examples: [{ text: 'Well said, indeed.' }] }),
  bodyLimit: COMMENT_BODY_LIMIT,
  responses: { 204: { description: 'Changed.', headers: LOCATION } },
  async run(context) {
    const { kernel, caller, resolved, rest, body } = context;
    const id = rest[0] ?? '';
    await editComment(kernel, { caller, path: resolved.object.path, id, text: body.text });
    return commentAt(context, id);
  },
});

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
