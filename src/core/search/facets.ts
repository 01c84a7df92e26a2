import { ofAnything } from '../../database/cache-tags.ts';
import type { Queryable, Statement } from '../../database/database.ts';
import { BadRequest } from '../../lib/errors.ts';
import { type Groups, inGroups, MAX_MEMBERS, type ResultsSource } from '../cache/kept-results.ts';
import type { KeptTotals } from '../cache/kept-totals.ts';
import type { CountedValue, QueryContext } from './catalog-index.ts';
import type { Viewer } from './conditions.ts';
import { compileAmong, isOfOwnRows, joinedNumbers } from './counting.ts';
import { isOwn } from './expression.ts';
import { foundRows } from './found-rows.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import { MAX_RANKED } from './sort-keys.ts';

/** The indexes by which results are counted, and the number of listed values of each. */
export type FacetRequest = { fields: readonly string[]; limit: number };

/** A value of an index, and the number of results with this value. */
export type FacetValue = { value: string; count: number };

const MAX_FACETS = 10;

/** The counted indexes of a request, each once. Throws BadRequest for names of other indexes. */
function countedIndexes({ fields }: FacetRequest, { catalog }: QueryContext) {
  const names = [...new Set(fields)];
  if (names.length > MAX_FACETS) throw new BadRequest(`A search has ${MAX_FACETS} facets at most.`);
  return names.map((name) => {
    const counted = catalog.find(name)?.counted;
    if (counted) return { name, counted };
    throw new BadRequest(
      `Invalid facet_fields: results cannot be counted by ${JSON.stringify(name.slice(0, 100))}. Use portal_type, review_state, Subject, Creator, Language, a date, or an index of a field that is no text.`,
    );
  });
}

/** The facets to count, and the number of the results that are counted. */
type Counting = {
  facets: FacetRequest;
  context: QueryContext;
  total: number;
  /** The kept results; nothing is kept without them, as in a transaction. */
  totals?: KeptTotals | undefined;
};

/** A query for a caller, by whose values its results are counted. */
type Subject = { query: CatalogQuery; viewer: Viewer; counting: Counting };

/** The results of a query in groups by the values of indexes, as the SQL of a `with` and of the group of each index. */
function groupedBy(
  { query, viewer, counting: { facets, context, total } }: Subject,
  parameters: SqlParameters,
  columns: string,
): { found: string; indexes: CountedValue[]; groups: string[] } {
  const indexes = countedIndexes(facets, context).map(({ counted }) => counted(parameters));
  const keys = indexes.map(({ expression }) => expression);
  const window = { ...viewer, start: 0, size: 0 };
  const found = foundRows({ query, window, context, parameters, keys, isMany: total > MAX_RANKED });
  const groups = indexes.map(({ several }, at) => {
    const from = several ? `found cross join lateral unnest(found.key${at}) listed(value)` : 'found';
    const value = several ? 'listed.value' : `found.key${at}`;
    return `select ${at} as facet, ${value}::text collate "C" as value, ${columns} from ${from} where ${value} is not null group by ${value}`;
  });
  return { found: `with found as materialized (${found})`, indexes, groups };
}

/** The statement that counts all results of a query by the values of indexes: the most frequent value first, then by value. */
function compileFacets(subject: Subject): Statement {
  const parameters = new SqlParameters();
  const { found, groups } = groupedBy(subject, parameters, 'count(*)::int as count');
  const limit = `${parameters.add(subject.counting.facets.limit)}::int`;
  const counts = groups.map((group) => `(${group} order by count desc, value limit ${limit})`);
  return {
    text: `${found} select * from (${counts.join(' union all ')}) counted order by facet, count desc, value`,
    values: parameters.values,
    tags: ofAnything,
  };
}

/** The statement that returns the numbers of the results with each value. */
function compileGroups(subject: Subject): Statement & { indexes: CountedValue[] } {
  const parameters = new SqlParameters();
  const { found, indexes, groups } = groupedBy(subject, parameters, `string_agg(found.oid::text, ',') as oids`);
  return { text: `${found} ${groups.join(' union all ')}`, values: parameters.values, indexes };
}

/** The group of a value of the index at a place of the request. */
const groupOf = (facet: number, value: string): string => `${facet} ${value}`;

/** The means to read the results with each value. */
const groupsSource = (
  db: Queryable,
  subject: Subject,
  { indexes: _, ...statement }: GroupsStatement,
): ResultsSource => ({
  async read() {
    const rows = await db.query<{ facet: number; value: string; oids: string }>(statement);
    return rows.map(({ facet, value, oids }) => [groupOf(facet, value), joinedNumbers(oids)] as const);
  },
  among(oids) {
    const parameters = new SqlParameters();
    const { query, viewer, counting } = subject;
    const values = countedIndexes(counting.facets, counting.context).map(({ counted }, at) => {
      const { expression, several } = counted(parameters);
      const group = (value: string) => `select '${at} ' || ${value}::text as value`;
      return several
        ? `${group('listed.value')} from unnest(${expression.sql}) listed(value)`
        : group(`(${expression.sql})`);
    });
    const more = `cross join lateral (select * from (${values.join(' union all ')}) each where each.value is not null) grouped`;
    return db.query(
      compileAmong(oids, { query, viewer, context: counting.context }, 'grouped.value', { parameters, more }),
    );
  },
});
type GroupsStatement = ReturnType<typeof compileGroups>;

/** Minimum number of results of a query whose groups are kept. */
const MIN_KEPT = 500;

/** The results of a query in groups, kept or read; undefined when they cannot be kept. */
async function keptGroups(db: Queryable, subject: Subject): Promise<Groups | undefined> {
  const { query, viewer, counting } = subject;
  const { totals, total, facets, context } = counting;
  if (totals === undefined || total < MIN_KEPT || total * facets.fields.length > MAX_MEMBERS) return undefined;
  const statement = compileGroups(subject);
  const key = totals.keyOf(statement);
  const isKept =
    isOfOwnRows({ query, viewer, context }) && statement.indexes.every(({ expression }) => isOwn(expression));
  if (key === undefined || !isKept) return undefined;
  return totals.results.ofOneMoment(key, inGroups(groupsSource(db, subject, statement)), ({ value }) => value);
}

/** The values of the index at a place of the request: the most frequent one first, then in the order of their bytes, as the database has it. */
function valuesIn(groups: Groups, facet: number, limit: number): FacetValue[] {
  const prefix = groupOf(facet, '');
  return [...groups]
    .flatMap(([group, { length }]) =>
      group.startsWith(prefix) ? [{ value: group.slice(prefix.length), count: length }] : [],
    )
    .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .slice(0, limit);
}

/**
 * Counts all results of a query by their values, by the names of indexes. Only content that the caller may see is counted. Runs one statement, which
 * looks only at what has changed since many results were counted. Throws BadRequest for indexes that cannot be counted.
 */
export async function countFacets(
  db: Queryable,
  query: CatalogQuery,
  viewer: Viewer,
  wanted: Counting,
): Promise<Map<string, FacetValue[]>> {
  const names = [...new Set(wanted.facets.fields)];
  const subject = { query, viewer, counting: wanted };
  const groups = await keptGroups(db, subject);
  if (groups) return new Map(names.map((name, at) => [name, valuesIn(groups, at, wanted.facets.limit)]));
  const rows = await db.query<FacetValue & { facet: number }>(compileFacets(subject));
  return new Map(
    names.map((name, at) => [
      name,
      rows.filter(({ facet }) => facet === at).map(({ value, count }) => ({ value, count })),
    ]),
  );
}
