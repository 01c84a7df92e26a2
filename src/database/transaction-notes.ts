import type { Slot } from '../lib/slots.ts';
import type { Queryable, Transaction } from './database.ts';

/** Maximum number of stored notes of one kind; further notes are only counted. */
const MAX_NOTES = 1000;

/** Notes of one kind about the transaction of a dry run. */
export class Notes<T> {
  readonly values: T[] = [];
  /** The number of notes that are not stored. */
  more = 0;

  add(value: T): void {
    if (this.values.length < MAX_NOTES) this.values.push(value);
    else this.more += 1;
  }
}

/** Adds a note about a transaction with an observer, once the part of the transaction in question stands. */
export function noteIn<T>(db: Queryable | Transaction, slot: Slot<Notes<T>>, makeValues: () => readonly T[]): void {
  const observer = 'origin' in db ? db.origin.observer : undefined;
  if (!observer) return;
  const values = makeValues();
  const add = (): void => {
    const known = observer.find(slot);
    const notes = known ?? new Notes<T>();
    for (const value of values) notes.add(value);
    if (!known) observer.set(slot, notes);
  };
  if ('beforeCommit' in db) db.beforeCommit(async () => add());
  else add();
}

/** Says if work with a database is a dry run, which is undone in the end. */
export const isRehearsed = (db: Queryable | Transaction): boolean => 'origin' in db && db.origin.observer !== undefined;
