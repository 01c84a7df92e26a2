import { Type } from 'typebox';
import { documented } from '../../services/openapi/documented.ts';

const NullOr = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

/** A comment as it is served. */
export const Comment = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.Literal('Discussion Item'),
  '@parent': NullOr(Type.String({ format: 'uri', description: 'Address of the comment that it replies to.' })),
  comment_id: Type.String(),
  in_reply_to: NullOr(Type.String({ description: 'Id of that comment.' })),
  text: Type.Object({
    data: Type.String(),
    'mime-type': Type.String({ description: '`text/plain`, `text/x-web-markdown` or clean `text/html`.' }),
  }),
  author_name: NullOr(Type.String()),
  author_username: NullOr(Type.String({ description: 'Id of the user; null for a visitor.' })),
  author_image: NullOr(Type.String({ format: 'uri', description: 'Address of the portrait.' })),
  creation_date: Type.String({ format: 'date-time' }),
  modification_date: Type.String({ format: 'date-time' }),
  review_state: Type.String({ description: '`published`, `pending` or `rejected`.' }),
  user_notification: Type.Null(),
  is_editable: Type.Boolean({ description: 'The caller may change it.' }),
  is_deletable: Type.Boolean({ description: 'The caller may delete it.' }),
  can_reply: Type.Boolean({ description: 'The caller may reply to it.' }),
});

/** The text of a comment in a body. */
export const TEXT = {
  text: documented(Type.String({ description: 'The text, of at most 10,000 characters.' }), { required: true }),
};

/** The body of a new comment. */
export const NewCommentBody = Type.Object(
  {
    ...TEXT,
    author_name: Type.Optional(
      documented(Type.String({ description: 'The name of a visitor. That of a user is known.' })),
    ),
  },
  { additionalProperties: true, examples: [{ text: 'Well said.' }] },
);

/** Where the comment is. */
export const LOCATION = { Location: { description: 'Address of the comment.' } };

/** Bytes of a body: the longest text, with every character escaped. */
export const COMMENT_BODY_LIMIT = 64 * 1024;
