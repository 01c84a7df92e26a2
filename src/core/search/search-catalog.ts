import type { Queryable } from '../../database/database.ts';
import type { NumberSet } from '../../lib/number-sets.ts';
import { inGroups } from '../cache/kept-results.ts';
import type { KeptTotals } from '../cache/kept-totals.ts';
import type { QueryContext } from './catalog-index.ts';
import type { Window } from './conditions.ts';
import { isOfOwnRows, resultsSource } from './counting.ts';
import type { MetadataSource } from './metadata.ts';
import { prepareSearch } from './prepared-search.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import { readKept } from './read-kept.ts';
import { sortKeys } from './sort-keys.ts';
import { planSearch } from './strategies/choose.ts';
import { mostRows, rowsStatement } from './strategies/strategy.ts';

/** A result, from which a summary is made. */
export type FoundRow = MetadataSource & { oid: number };

/** One window of the results, and the total for the caller. */
export type Found = { items: FoundRow[]; total: number };

type ResultRow = FoundRow & { total: number; oid: number | null; lacking?: boolean };

const foundOf = (rows: ResultRow[], total: number, { limit }: CatalogQuery): Found => ({
  total: Math.min(total, limit ?? total),
  items: rows.filter((row) => row.oid !== null),
});

type Broad = { context: QueryContext; totals: KeptTotals; key: string; most: number };

/** Works with the numbers of all results at one moment. Undefined when the results are not kept, or are now few. */
async function ofResults<T>(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  { context, totals, key, most }: Broad,
  work: (oids: NumberSet, version: number) => T | Promise<T>,
): Promise<T | undefined> {
  const counted = { query, viewer: window, context };
  if (!totals.isExpected(key) || !isOfOwnRows(counted)) return undefined;
  return totals.results.ofOneMoment(key, inGroups(resultsSource(db, counted)), ({ version, value: groups }) => {
    const oids = groups.get('') ?? new Uint32Array();
    return oids.length > most ? work(oids, version) : undefined;
  });
}

/**
 * One window of kept results, which are corrected by what has changed. Undefined when the results are not kept, are now few, or are wanted in another
 * order than that of their creation.
 */
async function searchKept(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  broad: Broad,
): Promise<Found | undefined> {
  if (sortKeys(query, new SqlParameters(), broad.context).length > 0) return undefined;
  const end = window.start + mostRows(query, window);
  return ofResults(db, query, window, broad, async (oids) => {
    const total = oids.length;
    // The statement runs for an empty window, too: it says what the response is made of.
    const rows = await db.query<ResultRow>(rowsStatement([...oids.subarray(window.start, end)], total));
    return foundOf(rows, total, query);
  });
}

/** One window of a query with many results, and the total. Undefined when the query was not known to have many results, or now has few. */
async function searchBroad(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  broad: Broad,
): Promise<Found | undefined> {
  const kept = await searchKept(db, query, window, broad);
  if (kept) return kept;
  const { context, totals, key, most } = broad;
  const order = JSON.stringify(query.sort);
  const correct = async () =>
    (await ofResults(db, query, window, broad, ({ length: total }, generation) => {
      totals.keep(key, { generation, total, order, marks: [] });
      return true;
    })) ?? false;
  const batch = await readKept<ResultRow>(totals, {
    ...{ key, order, isMarked: query.sort.length <= 1, correct },
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
  const alone = async () => {
    const rows = await db.query<ResultRow>(planSearch({ query, window, context }).statement);
    return foundOf(rows, rows[0]?.total ?? 0, query);
  };
  if (totals === undefined) return alone();
  const { count, most, few } = prepareSearch({ query, window, context });
  const key = totals.keyOf(count);
  if (key === undefined) return alone();
  const broad = await searchBroad(db, query, window, { context, totals, key, most });
  if (broad) return broad;
  const rows = await db.query<ResultRow>(few);
  const total = rows[0]?.total ?? 0;
  if (total <= most) return foundOf(rows, total, query);
  totals.expect(key);
  return (await searchBroad(db, query, window, { context, totals, key, most })) ?? alone();
}
