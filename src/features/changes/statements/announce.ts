import type { journal, Queryable } from '#core';
import { notesJson } from '../merge-notes.ts';

/**
 * The call that writes the events of a transaction, for a statement of its own or as a part of another one. `notes` is the parameter with
 * a text of `notesJson`, `dated` the one that says whether dates of publication hide content.
 */
export const ANNOUNCE = ({ notes, dated }: { notes: string; dated: string }): string =>
  `announce(${notes}::jsonb, ${dated}::boolean)`;

/** Writes events in statements that go with the commit. `batches` are texts of `notesJson`. */
export async function announceBatches(db: Queryable, batches: readonly string[], isDated: boolean): Promise<void> {
  for (const notes of batches)
    await db.query({
      name: 'announce-changes',
      deferred: true,
      text: `select from ${ANNOUNCE({ notes: '$1', dated: '$2' })}`,
      values: [notes, isDated],
    });
}

/** Writes the events of a transaction without other recorded changes of content, with its commit. */
export const announceAlone = (db: Queryable, notes: readonly journal.ChangeNote[], isDated: boolean): Promise<void> =>
  announceBatches(db, notesJson(notes), isDated);
