import { ValidationFailed } from '../lib/errors.ts';

/** Characters of a note. */
const MOST = 1000;

/** The note on a change that a client sent as `changeNote`; empty when there is none. Throws ValidationFailed. */
export function readChangeNote({ changeNote }: Record<string, unknown>): string {
  if (changeNote === undefined || changeNote === null) return '';
  const reject = (message: string) => new ValidationFailed([{ field: 'changeNote', message }]);
  if (typeof changeNote !== 'string') throw reject('Must be a string.');
  if (changeNote.includes('\u0000') || !changeNote.isWellFormed()) throw reject('Is not well-formed text.');
  const note = changeNote.trim();
  if (note.length > MOST) throw reject(`Is longer than ${MOST} characters.`);
  return note;
}
