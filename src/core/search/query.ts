import { BadRequest } from '../../lib/errors.ts';
import { type Expression, ofContent, ofNeither } from './expression.ts';

/** How the values of a constraint bound a range: from the least, up to the greatest, or between them. */
export type Range = 'min' | 'max' | 'min:max';

/** A condition on one index. Values are texts as clients send them, or numbers, booleans and dates. */
export type Constraint = {
  /** One of these; with the operator `and` all of them; with `range` the bounds. Empty for no such condition. */
  values: readonly unknown[];
  operator: 'or' | 'and';
  range?: Range;
  /** None of these. */
  not: readonly unknown[];
};

/** An object and what lies below it. Depth 0 is the object alone, 1 its children, more than that both and all between. */
export type PathScope = { path: string; depth?: number };

/** The conditions of a query, independent of the caller. */
export type CatalogQuery = {
  /** All of them must hold. Names of unknown indexes are passed over. */
  constraints: readonly { index: string; constraint: Constraint }[];
  /** At least one of them; undefined for the whole site. */
  paths?: readonly PathScope[];
  /** None of them. */
  notPaths?: readonly PathScope[];
  /** By the first, then the second, …; without any by relevance, or else in the order of creation. */
  sort: readonly { on: string; descending: boolean }[];
  /** Maximum number of results, however many fit. */
  limit?: number;
};

/** A constraint with defaults for absent members. */
export const constraint = (values: readonly unknown[], more: Partial<Constraint> = {}): Constraint => ({
  values,
  operator: 'or',
  not: [],
  ...more,
});

/** The values of a statement that is put together: whatever comes from a client goes here, never into the text. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its place in the text, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Paths of one query. */
const MAX_PATHS = 100;

/** Depths of paths are small; larger numbers mean everything below. */
const MAX_DEPTH = 1000;

/**
 * At or below a path. One range of the index on paths, from which names are taken out that only begin with the same
 * letters (`/news-archive` beside `/news`).
 */
function atOrBelow(path: string, parameters: SqlParameters): string {
  if (path === '/') return 'true';
  const [own, below, end] = [path, `${path}/`, `${path}0`].map((text) => `${parameters.add(text)}::text`);
  return `c.path >= ${own} and c.path < ${end} and (c.path = ${own} or c.path >= ${below})`;
}

const steps = (path: string): number => (path === '/' ? 0 : path.split('/').length - 1);

/** The depth says where the scope ends. */
const isBounded = (depth: number | undefined): depth is number =>
  depth !== undefined && depth >= 0 && depth <= MAX_DEPTH;

function inScope({ path, depth }: PathScope, parameters: SqlParameters): string {
  if (!isBounded(depth)) return atOrBelow(path, parameters);
  if (depth === 0) return `c.path = ${parameters.add(path)}::text`;
  if (depth === 1) return `c.parent = (select oid from content where path = ${parameters.add(path)}::text)`;
  const most = parameters.add(steps(path) + depth);
  const level = `case c.path when '/' then 0 else length(c.path) - length(replace(c.path, '/', '')) end`;
  return `${atOrBelow(path, parameters)} and ${level} <= ${most}::int`;
}

/** The scope is the whole site. */
const isWholeSite = ({ path, depth }: PathScope): boolean => path === '/' && !isBounded(depth);

/** The condition that an object lies in one of the scopes. Throws BadRequest for more than 100 of them. */
export function pathCondition(scopes: readonly PathScope[], parameters: SqlParameters): Expression {
  if (scopes.length > MAX_PATHS) throw new BadRequest(`A query has ${MAX_PATHS} paths at most.`);
  if (scopes.length === 0) return ofNeither('false');
  const sql = scopes.map((scope) => `(${inScope(scope, parameters)})`).join(' or ');
  return scopes.every(isWholeSite) ? ofNeither(sql) : ofContent(sql);
}
