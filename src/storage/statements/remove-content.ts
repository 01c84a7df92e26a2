import type { Queryable } from '../database.ts';

/** Removes an object with everything below it and everything that hangs on it (foreign keys cascade). */
export async function removeContent(db: Queryable, oid: number): Promise<void> {
  await db.query({ name: 'remove-content', text: 'delete from content where oid = $1', values: [oid] });
}
