import { BadRequest } from '../../lib/errors.ts';
import { type Expression, ofContent, ofNeither, ofOwnRows } from './expression.ts';

/** The range that the values of a constraint bound: from the least, up to the greatest, or between both. */
export type Range = 'min' | 'max' | 'min:max';

/** A condition on one index. Values are texts as clients send them, or numbers, booleans and dates. */
export type Constraint = {
  /** The object must have one of these values; with the operator `and` all of them; with `range` they are bounds. Empty for no condition. */
  values: readonly unknown[];
  operator: 'or' | 'and';
  range?: Range;
  /** None of these. */
  not: readonly unknown[];
};

/**
 * An object and the objects below it. Depth 0 is only the object, 1 only its children, a greater depth the object and all levels down to that depth.
 */
export type PathScope = { path: string; depth?: number };

/** The conditions of a query, independent of the caller. */
export type CatalogQuery = {
  /** All constraints must hold. Names of unknown indexes are ignored. */
  constraints: readonly { index: string; constraint: Constraint }[];
  /** Objects must lie in at least one of these scopes; undefined for the whole site. */
  paths?: readonly PathScope[];
  /** None of them. */
  notPaths?: readonly PathScope[];
  /** Sorts by the first key, then the second, …; without keys by relevance, or else in the order of creation. */
  sort: readonly { on: string; descending: boolean }[];
  /** Maximum number of results in all. */
  limit?: number;
};

/** A constraint with defaults for absent members. */
export const constraint = (values: readonly unknown[], more: Partial<Constraint> = {}): Constraint => ({
  values,
  operator: 'or',
  not: [],
  ...more,
});

/** The values of a statement that is built from parts: all input of clients goes here, never into the text. */
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

/** Depths of paths are smaller; larger numbers mean everything below. */
const MAX_DEPTH = 1000;

/**
 * The condition for paths at or below a path: one range of the index on paths, without names that only begin with the same letters (`/news-archive`
 * beside `/news`).
 */
function atOrBelow(path: string, parameters: SqlParameters): string {
  if (path === '/') return 'true';
  const [own, below, end] = [path, `${path}/`, `${path}0`].map((text) => `${parameters.add(text)}::text`);
  return `c.path >= ${own} and c.path < ${end} and (c.path = ${own} or c.path >= ${below})`;
}

const steps = (path: string): number => (path === '/' ? 0 : path.split('/').length - 1);

/** Says if the depth bounds the scope. */
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

/** Says if the scope is the whole site. */
export const isWholeSite = ({ path, depth }: PathScope): boolean => path === '/' && !isBounded(depth);

/** The condition that an object lies in one of the scopes. Throws BadRequest for more than 100 of them. */
export function pathCondition(scopes: readonly PathScope[], parameters: SqlParameters): Expression {
  if (scopes.length > MAX_PATHS) throw new BadRequest(`A query has ${MAX_PATHS} paths at most.`);
  if (scopes.length === 0) return ofNeither('false');
  const sql = scopes.map((scope) => `(${inScope(scope, parameters)})`).join(' or ');
  // Whatever changes the path of a container changes the paths of its children, too.
  return ofOwnRows(scopes.every(isWholeSite) ? ofNeither(sql) : ofContent(sql));
}
