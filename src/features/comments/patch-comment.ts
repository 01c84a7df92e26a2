import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { defineService } from '../../services/service.ts';
import { editComment } from './comment-edit.ts';
import { commentAt } from './comment-json.ts';
import { COMMENT_BODY_LIMIT, LOCATION, TEXT } from './comment-schemas.ts';

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
