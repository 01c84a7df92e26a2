import { locate } from '../content/locate.ts';
import { has } from '../content/permissions.ts';
import { isAtOrBelow, pathsTo } from '../content/tree-path.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { VIEW } from '../security/permissions.ts';
import { findRedirect } from '../storage/statements/redirects.ts';

/** Where what had an address is now: a path of the site or an address elsewhere. `withQuery`: the query was part of the old one. */
export type NewAddress = ({ path: string } | { url: string }) & { withQuery: boolean };

/** Old addresses that are followed one after the other: the new place of a container may itself be an old one of a child. */
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

/** An address elsewhere with the rest of the path that led to it. */
const withRest = (url: string, rest: string): string =>
  rest === '' ? url : url.replace(/\/$/, '') + rest.split('/').map(encodeURIComponent).join('/');

/**
 * Looks up a path that leads nowhere among the old addresses: itself with its query string (`query` begins with its
 * question mark), itself alone, then ever shorter ones, the rest put behind the new one (plone.restapi §1.7). What the
 * caller may not view has no new address for this caller, and one that would lead back here is none.
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
