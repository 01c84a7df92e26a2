import { locate } from '../../content/locate.ts';
import { ROOT } from '../../content/tree-path.ts';
import { BadRequest, Forbidden } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { Transaction } from '../../storage/database.ts';
import { hasManager, lockPeople } from './statements/principals.ts';

/** Permissions that only the services of people ask for, in Plone's spelling. */
export const ADD_MEMBER = 'Add portal member';
export const READ_PEOPLE = 'Access Plone user information';
export const SET_OWN_PROPERTIES = 'Set own properties';
export const SET_OWN_PASSWORD = 'Set own password';
export const USE_MAIL_HOST = 'Use mailhost services';

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

/** What a change of accounts or groups works with. `root` is where its permissions are decided. */
export type PeopleChange = { tx: Transaction; site: Site; root: ResolvedNode };

/** The site and its root, where the permissions over people are decided. */
async function locateRoot(kernel: Kernel): Promise<{ site: Site; root: ResolvedNode }> {
  const { site, resolved } = await locate(kernel, ROOT);
  if (!resolved) throw new Error('The site has no root');
  return { site, root: resolved };
}

/**
 * Runs a change of accounts or groups in one transaction, one after the other. Throws BadRequest, and nothing of the
 * change remains, when it would leave the site without anybody who can log in as a Manager.
 */
export async function changePeople<T>(kernel: Kernel, work: (change: PeopleChange) => Promise<T>): Promise<T> {
  const { site, root } = await locateRoot(kernel);
  return kernel.db.transaction(async (tx) => {
    await lockPeople(tx);
    const before = await hasManager(tx);
    const result = await work({ tx, site, root });
    if (before && !(await hasManager(tx))) throw new BadRequest('The site must keep a Manager: this is the last one.');
    return result;
  });
}
