import type { Queryable } from '../database.ts';

/** Asks the database for its attention, and nothing else. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query({ name: 'figures-ping', text: 'select 1 as one' });
}
