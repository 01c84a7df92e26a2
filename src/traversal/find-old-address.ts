import { locate } from '../content/locate.ts';
import { has } from '../content/permissions.ts';
import { isAtOrBelow, pathsTo } from '../content/tree-path.ts';
import type { Caller } from '../security/caller.ts';
import { VIEW } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import { findRedirect } from '../storage/statements/redirects.ts';

/** Where what had an address is now: a path of the site or an address elsewhere. */
export type NewAddress = { path: string } | { url: string };

/**
 * Looks up a path that leads nowhere among the old addresses: itself, then ever shorter ones, the
 * rest put behind the new one. What the caller may not view has no new address for this caller, and one that would lead back
 * here is none.
 */
export async function findOldAddress(kernel: Kernel, caller: Caller, path: string): Promise<NewAddress | undefined> {
  const redirect = await findRedirect(kernel.db, pathsTo(path));
  if (!redirect) return undefined;
  const rest = path.slice(redirect.path.length);
  if (redirect.targetUrl !== null && !redirect.targetUrl.startsWith('/')) return { url: redirect.targetUrl + rest };
  const target = (redirect.target ?? redirect.targetUrl ?? '') + rest;
  if (isAtOrBelow(target, redirect.path)) return undefined;
  const { site, located } = await locate(kernel, target);
  return located && has(site, caller, located, VIEW) ? { path: target } : undefined;
}
