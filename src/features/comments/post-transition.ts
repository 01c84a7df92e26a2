import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { NoBody } from '../../services/no-body.ts';
import { defineService } from '../../services/service.ts';
import { commentAt } from './comment-json.ts';
import { REVIEW_COMMENTS } from './comment-permissions.ts';
import { LOCATION } from './comment-schemas.ts';
import { transitionComment } from './comment-transition.ts';

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
