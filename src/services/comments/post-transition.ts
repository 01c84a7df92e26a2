import { REVIEW_COMMENTS } from '../../content/comment-permissions.ts';
import { transitionComment } from '../../content/comment-transition.ts';
import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { NoBody } from '../no-body.ts';
import { defineService } from '../service.ts';
import { commentAt } from './comment-json.ts';
import { LOCATION } from './comment-schemas.ts';

/** POST `@comments/<id>/@workflow/<transition>`: publishes or rejects a comment. */
export const postTransition = defineService({
  name: '@comments',
  method: 'POST',
  context: 'content',
  permission: REVIEW_COMMENTS,
  checkPermission: ({ site, caller, located }) =>
    [VIEW, REVIEW_COMMENTS].every((permission) => has(site, caller, located, permission)),
  summary: 'Shows a comment to everybody (`publish`), or to its author and reviewers alone (`reject`).',
  rest: ['{comment}/@workflow/{transition}'],
  body: NoBody,
  responses: {
    204: { description: 'Done, or so already.', headers: LOCATION },
    400: { description: 'There is no such transition.' },
  },
  async run(call) {
    const { kernel, caller, located, rest } = call;
    const [id = '', , transition = ''] = rest;
    await transitionComment(kernel, { caller, path: located.object.path, id, transition });
    return commentAt(call, id);
  },
});
