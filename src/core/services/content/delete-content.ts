import { MethodNotAllowed } from '../../../lib/errors.ts';
import { isRoot } from '../../content/locate.ts';
import { removeContent } from '../../content/remove-content.ts';
import { DELETE } from '../../security/permissions.ts';
import { noContent } from '../response.ts';
import { defineService } from '../service.ts';
import { expectedChange, headerOf, LOCK_TOKEN } from './represent-path.ts';

/** DELETE of content: removes the object and everything below it. */
export const deleteContent = defineService({
  name: '',
  method: 'DELETE',
  scope: 'write',
  context: 'content',
  permission: DELETE,
  summary: 'Removes a content object and everything below it. The site root stays: 405.',
  headers: LOCK_TOKEN,
  responses: {
    204: { description: 'Removed.' },
    405: { description: 'The site root may not be removed.' },
  },
  async run(context) {
    if (isRoot(context.resolved.object))
      throw new MethodNotAllowed('The site root may not be deleted.', ['GET', 'PATCH', 'POST']);
    await removeContent(context.kernel, {
      caller: context.caller,
      path: context.resolved.object.path,
      lockToken: headerOf(context, 'lock-token'),
      expected: expectedChange(context),
    });
    return noContent();
  },
});
