import { checkIn } from '../../content/working-copy-check-in.ts';
import { CHECK_IN } from '../../content/working-copy-rights.ts';
import { headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { defineService, noContent } from '../service.ts';

/** PATCH `@workingcopy`: checks a working copy in. */
export const patchWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'PATCH',
  context: 'content',
  permission: CHECK_IN,
  summary: 'Gives content the values of its working copy, which goes. For the address of either.',
  headers: LOCK_TOKEN,
  responses: {
    204: { description: 'Checked in.' },
    409: { description: 'There is content in the working copy.' },
  },
  async run(call) {
    const { kernel, caller, located } = call;
    await checkIn(kernel, { caller, path: located.object.path, lockToken: headerOf(call, 'lock-token') });
    return noContent();
  },
});
