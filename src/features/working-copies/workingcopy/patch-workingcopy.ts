import { checkIn } from '../working-copy-check-in.ts';
import { defineEnding } from './define-ending.ts';

/** PATCH `@workingcopy`: checks a working copy in. */
export const patchWorkingcopy = defineEnding({
  method: 'PATCH',
  summary: 'Gives content the values of its working copy, which goes. For the address of either.',
  done: 'Checked in.',
  end: checkIn,
});
