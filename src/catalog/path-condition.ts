import { BadRequest } from '../lib/errors.ts';
import type { PathScope } from './constraint.ts';
import type { SqlParameters } from './sql-parameters.ts';

/** Paths of one query. */
const MAX_PATHS = 100;

/** Depths of paths are small; larger numbers mean everything below. */
const DEEPEST = 1000;

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

function inScope({ path, depth }: PathScope, parameters: SqlParameters): string {
  if (depth === undefined || depth < 0 || depth > DEEPEST) return atOrBelow(path, parameters);
  if (depth === 0) return `c.path = ${parameters.add(path)}::text`;
  if (depth === 1) return `c.parent = (select oid from content where path = ${parameters.add(path)}::text)`;
  const most = parameters.add(steps(path) + depth);
  const level = `case c.path when '/' then 0 else length(c.path) - length(replace(c.path, '/', '')) end`;
  return `${atOrBelow(path, parameters)} and ${level} <= ${most}::int`;
}

/** The condition that an object lies in one of the scopes. Throws BadRequest for more than 100 of them. */
export function pathCondition(scopes: readonly PathScope[], parameters: SqlParameters): string {
  if (scopes.length > MAX_PATHS) throw new BadRequest(`A query has ${MAX_PATHS} paths at most.`);
  if (scopes.length === 0) return 'false';
  return scopes.map((scope) => `(${inScope(scope, parameters)})`).join(' or ');
}
