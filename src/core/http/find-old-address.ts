import { locate } from '../content/locate.ts';
import { has } from '../content/permissions.ts';
import { findRedirect } from '../content/statements/redirects.ts';
import { isAtOrBelow, pathsTo } from '../content/tree-path.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { VIEW } from '../security/permissions.ts';

/** A new address: a path of the site or an external address. `withQuery` is true if the old address included the query. */
export type NewAddress = ({ path: string } | { url: string }) & { withQuery: boolean };

/** Limit of redirects in a row: the new place of a container may itself be an old address of its child. */
const MAX_STEPS = 5;

/** The forms in which an alias may have the query of a request: as it came, and without percent-encoding. */
function queriesOf(query: string): string[] {
  if (query.length < 2) return [];
  try {
    const plain = decodeURIComponent(query);
    return plain.includes('\u0000') ? [query] : [...new Set([query, plain])];
  } catch (error) {
    if (error instanceof URIError) return [query];
    throw error;
  }
}

/** An external address with the rest of the requested path. */
const withRest = (url: string, rest: string): string =>
  rest === '' ? url : url.replace(/\/$/, '') + rest.split('/').map(encodeURIComponent).join('/');

/**
 * Finds the new address of a path without an object: of the path with its query string (`query` begins with its question
 * mark), of the path alone, then of its containers, with the rest appended (plone.restapi §1.7). Undefined when there is
 * none, when the caller may not view the new object, and when the new address would lead back to the old one.
 */
export async function findOldAddress(
  kernel: Kernel,
  caller: Caller,
  path: string,
  query = '',
): Promise<NewAddress | undefined> {
  let wanted = path;
  let withQuery = false;
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const exact: string[] = withQuery ? [] : queriesOf(query).map((form) => wanted + form);
    const redirect = await findRedirect(kernel.db, [...pathsTo(wanted), ...exact]);
    if (!redirect) return undefined;
    const asked: boolean = exact.includes(redirect.path);
    withQuery ||= asked;
    const rest = asked ? '' : wanted.slice(redirect.path.length);
    if (redirect.targetUrl !== null && !redirect.targetUrl.startsWith('/'))
      return { url: withRest(redirect.targetUrl, rest), withQuery };
    const target = (redirect.target ?? redirect.targetUrl ?? '').replace(/\/$/, '') + rest || '/';
    if (!asked && isAtOrBelow(target, redirect.path)) return undefined;
    const { site, resolved } = await locate(kernel, target);
    if (resolved) return has(site, caller, resolved, VIEW) ? { path: target, withQuery } : undefined;
    wanted = target;
  }
  return undefined;
}
