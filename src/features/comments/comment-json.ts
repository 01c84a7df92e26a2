import { type Static, Type } from 'typebox';
import { noContent, type RequestContext, schemas, urlOf } from '#core';
import { commentSettings } from './panel.ts';
import type { CommentRights } from './rights.ts';
import type { CommentRow } from './statements/comments.ts';

/** A comment in responses. */
export const Comment = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.Literal('Discussion Item'),
  '@parent': schemas.Nullable(
    Type.String({ format: 'uri', description: 'Address of the comment that it replies to.' }),
  ),
  comment_id: Type.String(),
  in_reply_to: schemas.Nullable(Type.String({ description: 'Id of that comment.' })),
  text: Type.Object({
    data: Type.String(),
    'mime-type': Type.String({ description: '`text/plain`, `text/x-web-markdown` or clean `text/html`.' }),
  }),
  author_name: schemas.Nullable(Type.String()),
  author_username: schemas.Nullable(Type.String({ description: 'Id of the user; null for a visitor.' })),
  author_image: schemas.Nullable(Type.String({ format: 'uri', description: 'Address of the portrait.' })),
  creation_date: Type.String({ format: 'date-time' }),
  modification_date: Type.String({ format: 'date-time' }),
  review_state: Type.String({ description: '`published`, `pending` or `rejected`.' }),
  user_notification: Type.Null(),
  is_editable: Type.Boolean({ description: 'The caller may change it.' }),
  is_deletable: Type.Boolean({ description: 'The caller may delete it.' }),
  can_reply: Type.Boolean({ description: 'The caller may reply to it.' }),
});
export type Comment = Static<typeof Comment>;

/** The context of a comment: the site, and the object that it belongs to. */
type View = Pick<RequestContext, 'site' | 'base' | 'resolved'>;

/** Address of the comments on an object. */
export const commentsUrl = ({ base, resolved }: View): string => `${urlOf(base, resolved.object.path)}/@comments`;

/** Address of a comment. */
const commentUrl = (context: View, id: string): string => `${commentsUrl(context)}/${encodeURIComponent(id)}`;

/** 204 with the address of a comment. */
export const commentAt = (context: View, id: string) => noContent({ Location: commentUrl(context, id) });

/** Media types that clients can render. Texts of other types, which come from imports, are served as plain text. */
const SERVED = new Set(['text/plain', 'text/x-web-markdown', 'text/html']);

/** A comment as Nick and plone.restapi represent it (D01), with `review_state` in addition. */
export function commentJson(context: View, rights: CommentRights, comment: CommentRow): Comment {
  const { id, inReplyTo, body, mimeType, author, authorName, hasPortrait, created, modified, reviewState } = comment;
  const showsPortrait = hasPortrait && author !== null && commentSettings(context.site).showsPortraits;
  return {
    '@id': commentUrl(context, id),
    '@type': 'Discussion Item',
    '@parent': inReplyTo === null ? null : commentUrl(context, inReplyTo),
    comment_id: id,
    in_reply_to: inReplyTo,
    text: { data: body, 'mime-type': SERVED.has(mimeType) ? mimeType : 'text/plain' },
    author_name: authorName,
    author_username: author,
    author_image: showsPortrait ? `${context.base}/@portrait/${encodeURIComponent(author)}` : null,
    creation_date: created.toISOString(),
    modification_date: modified.toISOString(),
    review_state: reviewState,
    user_notification: null,
    is_editable: rights.edit(comment),
    is_deletable: rights.remove(comment),
    can_reply: rights.replyTo(comment),
  };
}
