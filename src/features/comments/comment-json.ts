import type { JsonObject } from '../../lib/json-object.ts';
import { urlOf } from '../../serializer/render-context.ts';
import type { RequestContext, ServiceResponse } from '../../services/service.ts';
import type { CommentRights } from './comment-rights.ts';
import { commentSettings } from './comment-settings.ts';
import type { CommentRow } from './statements/comment-rows.ts';

/** Address of the comments on the object of a call. */
export const commentsUrl = ({ base, resolved }: RequestContext): string =>
  `${urlOf(base, resolved.object.path)}/@comments`;

/** Address of a comment. */
const commentUrl = (context: RequestContext, id: string): string => `${commentsUrl(context)}/${encodeURIComponent(id)}`;

/** 204 with the address of a comment. */
export const commentAt = (context: RequestContext, id: string): ServiceResponse => ({
  status: 204,
  headers: { Location: commentUrl(context, id) },
});

/** Media types that clients show as such. Others, which imports bring, are shown as they were written. */
const SERVED = new Set(['text/plain', 'text/x-web-markdown', 'text/html']);

/** A comment in the shape of Nick and of plone.restapi (D01); `review_state` is ours. */
export function commentJson(context: RequestContext, rights: CommentRights, comment: CommentRow): JsonObject {
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
