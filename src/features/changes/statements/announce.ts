import type { journal, Queryable } from '#core';
import { notesJson } from '../merge-notes.ts';

/**
 * The call that writes the events of a transaction, for a statement of its own or as a part of another one. `notes` is the parameter with
 * the JSON of `notesJson`, `dated` the one that says whether dates of publication hide content.
 */
export const ANNOUNCE = ({ notes, dated }: { notes: string; dated: string }): string =>
  `announce(${notes}::jsonb, ${dated}::boolean)`;

/** Writes the events of a transaction that changes content in no other way that is recorded. It goes with the commit. */
export async function announceAlone(
  db: Queryable,
  notes: readonly journal.ChangeNote[],
  isDated: boolean,
): Promise<void> {
  await db.query({
    name: 'announce-changes',
    deferred: true,
    text: `select from ${ANNOUNCE({ notes: '$1', dated: '$2' })}`,
    values: [notesJson(notes), isDated],
  });
}
