import { Forbidden } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';

/** The role that stands above all others. */
const MANAGER = 'Manager';

/** The sets of roles that something is open to, anywhere on the site where all of a kind have the same. */
function* openings(site: Site): Generator<readonly string[]> {
  yield* Object.values(site.roleMap);
  for (const { states, transitions } of site.workflows.values()) {
    for (const { permissions } of Object.values(states)) {
      for (const { roles } of Object.values(permissions ?? {})) yield roles;
    }
    for (const { guard } of Object.values(transitions)) if (guard?.roles?.length) yield guard.roles;
  }
}

/**
 * Whether the caller may give a role to others, or stands above those who have it: a Manager always; others when
 * they have the role themselves, or when it opens nothing that their own roles do not open as well. So a Site
 * Administrator makes Reviewers, and nobody raises anybody beyond their own rights.
 */
export function covers(site: Site, caller: Caller, role: string): boolean {
  if (caller.roles.includes(MANAGER) || caller.roles.includes(role)) return true;
  if (role === MANAGER) return false;
  for (const roles of openings(site)) {
    if (!roles.includes(role) || roles.includes('Anonymous')) continue;
    if (!caller.roles.some((own) => roles.includes(own))) return false;
  }
  return true;
}

/** Throws Forbidden unless the caller covers every one of the roles: of a user to be changed, or about to be given. */
export function requireAuthority(site: Site, caller: Caller, roles: readonly string[]): void {
  const beyond = roles.find((role) => !covers(site, caller, role));
  if (beyond !== undefined) throw new Forbidden(`The role "${beyond}" has rights that you do not have.`);
}
