import type { Queryable } from '../storage/database.ts';
import type { QueryContext } from './catalog-index.ts';
import { compileQuery, type Window } from './compile-query.ts';
import type { CatalogQuery } from './constraint.ts';
import type { MetadataSource } from './metadata.ts';

/** A result: what summaries are made of. */
export type FoundRow = MetadataSource & { oid: number };

/** One window of the results, and how many there are for the caller. */
export type Found = { items: FoundRow[]; total: number };

/** Runs a query with one SQL statement. Throws BadRequest for values that their index cannot have. */
export async function searchCatalog(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
): Promise<Found> {
  const rows = await db.query<FoundRow & { total: number; oid: number | null }>(compileQuery(query, window, context));
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.oid !== null) };
}
