import { cancelCheckOut } from '../../content/working-copy-cancel.ts';
import { CHECK_IN } from '../../content/working-copy-rights.ts';
import { headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { defineService, noContent } from '../service.ts';

/** DELETE `@workingcopy`: gives a working copy up. */
export const deleteWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'DELETE',
  context: 'content',
  permission: CHECK_IN,
  summary: 'Removes the working copy of content, which stays as it is and is free again. For the address of either.',
  headers: LOCK_TOKEN,
  responses: {
    204: { description: 'Given up.' },
    409: { description: 'There is content in the working copy.' },
  },
  async run(call) {
    const { kernel, caller, located } = call;
    await cancelCheckOut(kernel, { caller, path: located.object.path, lockToken: headerOf(call, 'lock-token') });
    return noContent();
  },
});
