import { cancelCheckOut } from '../working-copy-cancel.ts';
import { defineEnding } from './define-ending.ts';

/** DELETE `@workingcopy`: gives a working copy up. */
export const deleteWorkingcopy = defineEnding({
  method: 'DELETE',
  summary: 'Removes the working copy of content, which stays as it is and is free again. For the address of either.',
  done: 'Given up.',
  end: cancelCheckOut,
});
