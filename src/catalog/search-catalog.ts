import type { Queryable } from '../storage/database.ts';
import { compileBroad, compileCount, type Mark } from './broad-statements.ts';
import type { QueryContext } from './catalog-index.ts';
import { MAX_RANKED, type Window } from './conditions.ts';
import { KeptTotals } from './kept-totals.ts';
import type { MetadataSource } from './metadata.ts';
import type { CatalogQuery } from './query.ts';
import { compileQuery } from './search-statements.ts';

/** A result: what summaries are made of. */
export type FoundRow = MetadataSource & { oid: number };

/** One window of the results, and how many there are for the caller. */
export type Found = { items: FoundRow[]; total: number };

type ResultRow = FoundRow & { total: number; oid: number | null; lacking?: boolean };

const foundOf = (rows: ResultRow[], total: number, { limit }: CatalogQuery): Found => ({
  total: Math.min(total, limit ?? total),
  items: rows.filter((row) => row.oid !== null),
});

/** One window of a query with many results, and how many there are: counted, or known at present from an earlier one. */
async function searchBroad(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  { context, totals, key }: { context: QueryContext; totals: KeptTotals; key: string },
): Promise<Found | undefined> {
  const order = JSON.stringify(query.sort);
  const isMarked = query.sort.length <= 1;
  const known = await totals.find(key, order, window.start);
  if (known === undefined) return undefined;
  const mark = isMarked ? known.mark : undefined;
  const read = (start: { total?: number | undefined; mark?: Mark | undefined }) =>
    db.query<ResultRow>(compileBroad(query, window, context, start));
  let { total } = known;
  let rows = await read({ total, mark });
  if (total !== undefined) {
    const expected = Math.min(window.size, Math.max(0, Math.min(total, query.limit ?? total) - window.start));
    // Objects without a value stand behind a mark that has one. And whoever has written meanwhile may have moved the results.
    if (rows.filter(({ oid }) => oid !== null).length !== expected) rows = await read({ total });
    if (!(await totals.isPresent(known.generation))) {
      total = undefined;
      rows = await read({});
    }
  }
  total ??= rows[0]?.total ?? 0;
  if (total <= MAX_RANKED) {
    totals.forget(key);
    return undefined;
  }
  const marks = [0, rows.length - 1].flatMap((at) => {
    const row = rows[at];
    return row?.oid == null || row.lacking ? [] : [{ place: window.start + at, oid: row.oid }];
  });
  totals.keep(key, { generation: known.generation, total, order, marks: isMarked ? marks : [] });
  return foundOf(rows, total, query);
}

/**
 * Runs a query: one SQL statement where there are few results. `totals` is what the process knows of those with many; without it,
 * as in a transaction, nothing is taken from there. Throws BadRequest for values that their index cannot have.
 */
export async function searchCatalog(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
  totals?: KeptTotals,
): Promise<Found> {
  const search = (atMost?: number) => db.query<ResultRow>(compileQuery(query, window, context, atMost));
  if (totals === undefined) {
    const rows = await search();
    return foundOf(rows, rows[0]?.total ?? 0, query);
  }
  const key = KeptTotals.keyOf(compileCount(query, window, context));
  const broad = await searchBroad(db, query, window, { context, totals, key });
  if (broad) return broad;
  const { generation } = totals;
  const rows = await search(MAX_RANKED);
  const total = rows[0]?.total ?? 0;
  if (total <= MAX_RANKED) return foundOf(rows, total, query);
  totals.keep(key, { generation: generation - 1, total, order: '', marks: [] });
  return (await searchBroad(db, query, window, { context, totals, key })) ?? searchCatalog(db, query, window, context);
}
