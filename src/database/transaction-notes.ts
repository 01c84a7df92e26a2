import type { Slot } from '../lib/slots.ts';
import type { Queryable, Transaction } from './database.ts';

/** Notes of one kind that are kept; of more there is the number. */
const MAX_NOTES = 1000;

/** Notes of one kind about a transaction that is rehearsed to be reported. */
export class Notes<T> {
  readonly values: T[] = [];
  /** Notes beyond those that are kept. */
  more = 0;

  add(value: T): void {
    if (this.values.length < MAX_NOTES) this.values.push(value);
    else this.more += 1;
  }
}

/** Notes something about a transaction that has an observer, once the part stands that it happens in. */
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

/** Says if work with a database is rehearsed to be reported: it is undone in the end. */
export const isRehearsed = (db: Queryable | Transaction): boolean => 'origin' in db && db.origin.observer !== undefined;
