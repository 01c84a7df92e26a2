import type { Queryable } from '../../database/database.ts';
import type { KeptTotals } from '../cache/kept-totals.ts';
import type { QueryContext } from './catalog-index.ts';
import type { Window } from './conditions.ts';
import { compileCount } from './counting.ts';
import type { MetadataSource } from './metadata.ts';
import type { CatalogQuery } from './query.ts';
import { readKept } from './read-kept.ts';
import { mostOfOneStatement } from './sort-keys.ts';
import { planSearch } from './strategies/choose.ts';

/** A result, from which a summary is made. */
export type FoundRow = MetadataSource & { oid: number };

/** One window of the results, and the total for the caller. */
export type Found = { items: FoundRow[]; total: number };

type ResultRow = FoundRow & { total: number; oid: number | null; lacking?: boolean };

const foundOf = (rows: ResultRow[], total: number, { limit }: CatalogQuery): Found => ({
  total: Math.min(total, limit ?? total),
  items: rows.filter((row) => row.oid !== null),
});

/** One window of a query with many results, and the total. Undefined when the query was not known to have many results, or now has few. */
async function searchBroad(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  { context, totals, key, most }: { context: QueryContext; totals: KeptTotals; key: string; most: number },
): Promise<Found | undefined> {
  const batch = await readKept<ResultRow>(totals, {
    ...{ key, order: JSON.stringify(query.sort), isMarked: query.sort.length <= 1 },
    ...{ start: window.start, size: window.size, limit: query.limit, least: most + 1 },
    read: (from) => db.query<ResultRow>(planSearch({ query, window, context, from }).statement),
  });
  return batch && foundOf(batch.rows, batch.total, query);
}

/**
 * Runs a query: one SQL statement for few results. `totals` are the cached facts about queries with many results; without them, as in a transaction,
 * no facts are used. Throws BadRequest for values that their index cannot have.
 */
export async function searchCatalog(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
  totals?: KeptTotals,
): Promise<Found> {
  const search = (atMost?: number) => db.query<ResultRow>(planSearch({ query, window, context, atMost }).statement);
  const key = totals?.keyOf(compileCount(query, window, context));
  if (totals === undefined || key === undefined) {
    const rows = await search();
    return foundOf(rows, rows[0]?.total ?? 0, query);
  }
  const most = mostOfOneStatement(query, context);
  const broad = await searchBroad(db, query, window, { context, totals, key, most });
  if (broad) return broad;
  const rows = await search(most);
  const total = rows[0]?.total ?? 0;
  if (total <= most) return foundOf(rows, total, query);
  totals.expect(key);
  return (
    (await searchBroad(db, query, window, { context, totals, key, most })) ?? searchCatalog(db, query, window, context)
  );
}
