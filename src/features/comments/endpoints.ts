import { Type } from 'typebox';
import { batching, defineService, has, noContent, ok, schemas, VIEW } from '#core';
import { admitVisitor } from '../people/registration.ts';
import {
  addComment,
  type CommentPurpose,
  editComment,
  removeComment,
  textIsRequired,
  transitionComment,
} from './changes.ts';
import { Comment, commentAt, commentJson, commentsUrl } from './comment-json.ts';
import { requireComment, viewOf } from './conversation.ts';
import { commentRights, REPLY_TO_ITEM, REVIEW_COMMENTS } from './rights.ts';
import { listComments } from './statements/comments.ts';

/** Longest text of a comment, in characters. */
const MAX_TEXT_LENGTH = 100_000;
/** Longest name that a visitor can give, in characters. */
const MAX_NAME_LENGTH = 200;
/** Largest request body in bytes: the longest text with every character escaped. */
const COMMENT_BODY_LIMIT = 640 * 1024;

/** The text of a comment in request bodies. Clients show the message, which names no field. */
const CommentText = (purpose: CommentPurpose) =>
  Type.Refine(
    Type.Refine(
      Type.String({
        description: 'The text, of at most 100,000 characters.',
        reject: { required: textIsRequired(purpose), other: '"text" must be a string.' },
      }),
      (text) => text.length <= MAX_TEXT_LENGTH,
      () => `"text" is longer than ${MAX_TEXT_LENGTH} characters.`,
    ),
    (text) => !text.includes('\u0000') && text.isWellFormed(),
    () => '"text" is not well-formed text.',
  );

/** The name that a visitor gives in request bodies. */
const AuthorName = Type.Refine(
  Type.Refine(
    Type.String({
      description: 'The name of a visitor. That of a user is known.',
      reject: '"author_name" must be a string.',
    }),
    (name) => name.length <= MAX_NAME_LENGTH,
    () => `"author_name" is longer than ${MAX_NAME_LENGTH} characters.`,
  ),
  (name) => name.isWellFormed() && !/\p{Cc}/u.test(name),
  () => '"author_name" must be one line of text.',
);

/** The header of responses to writes. */
const LOCATION = { Location: { description: 'Address of the comment.' } };

/** GET `@comments`: the comments on content, thread by thread. */
export const getComments = defineService({
  name: '@comments',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Lists the comments on content: replies behind what they reply to, the oldest first.',
  query: Type.Object(batching.Query('comments', { size: 25 })),
  responses: {
    200: {
      description: 'The comments that the caller may see.',
      schema: Type.Object({
        '@id': schemas.Address,
        items: Type.Array(Comment),
        items_total: Type.Integer(),
        permissions: Type.Object({ view_comments: Type.Boolean(), can_reply: Type.Boolean() }),
        ...batching.Links.properties,
      }),
    },
  },
  async run(context) {
    const { db, site, caller, resolved, query, searchParams } = context;
    const batch = batching.of(query, searchParams);
    const rights = commentRights(site, caller, resolved);
    const view = viewOf({ site, caller, resolved, rights });
    const { items, total } = rights.view ? await listComments(db, view, batch) : { items: [], total: 0 };
    const url = commentsUrl(context);
    return ok({
      '@id': url,
      items: items.map((comment) => commentJson(context, rights, comment)),
      items_total: total,
      permissions: { view_comments: rights.view, can_reply: rights.reply },
      ...batching.linksOf(url, batch, total),
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
    const { db, site, caller, resolved, params } = context;
    const rights = commentRights(site, caller, resolved);
    const comment = await requireComment(db, { site, caller, resolved, rights }, params.comment);
    return ok(commentJson(context, rights, comment));
  },
});

/** Members of a comment that clients may send back with its text. */
const SHOWN = schemas.sentBack(Object.keys(Comment.properties));

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
  body: Type.Object(
    { ...SHOWN, text: CommentText('add'), author_name: Type.Optional(schemas.Nullable(AuthorName)) },
    { examples: [{ text: 'Well said.' }] },
  ),
  bodyLimit: COMMENT_BODY_LIMIT,
  responses: {
    204: { description: 'Added.', headers: LOCATION },
    429: { description: 'Too many comments of visitors came from this network.' },
  },
  async run(context) {
    const { kernel, caller, resolved, params, body, clientAddress } = context;
    if (caller.id === null) await admitVisitor(kernel.db, 'comment', clientAddress);
    const id = await addComment(kernel, {
      caller,
      path: resolved.object.path,
      inReplyTo: params.comment,
      text: body.text,
      authorName: body.author_name ?? '',
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
  body: schemas.OpenObject({}, { description: 'Nothing of it is used.' }),
  responses: {
    204: { description: 'Done, or so already.', headers: LOCATION },
    400: { description: 'There is no such transition.' },
  },
  async run(context) {
    const { kernel, caller, resolved, params } = context;
    const { comment: id, transition } = params;
    await transitionComment(kernel, { caller, path: resolved.object.path, id, transition });
    return commentAt(context, id);
  },
});

/** PATCH `@comments/<id>`: changes the text. The permission depends on the author of the comment. */
export const patchComment = defineService({
  name: '@comments',
  method: 'PATCH',
  context: 'content',
  permission: VIEW,
  summary: "Changes the text of a comment: of one's own, or of others with the permission to edit comments.",
  rest: ['{comment}'],
  body: Type.Object({ ...SHOWN, text: CommentText('modify') }, { examples: [{ text: 'Well said, indeed.' }] }),
  bodyLimit: COMMENT_BODY_LIMIT,
  responses: { 204: { description: 'Changed.', headers: LOCATION } },
  async run(context) {
    const { kernel, caller, resolved, params, body } = context;
    await editComment(kernel, { caller, path: resolved.object.path, id: params.comment, text: body.text });
    return commentAt(context, params.comment);
  },
});

/** DELETE `@comments/<id>`: removes a comment. The permission depends on the author of the comment. */
export const deleteComment = defineService({
  name: '@comments',
  method: 'DELETE',
  context: 'content',
  permission: VIEW,
  summary:
    "Removes a comment with all replies: one's own without replies, or any with the permission to delete comments.",
  rest: ['{comment}'],
  responses: { 204: { description: 'Removed.' } },
  async run({ kernel, caller, resolved, params }) {
    await removeComment(kernel, { caller, path: resolved.object.path, id: params.comment });
    return noContent();
  },
});
