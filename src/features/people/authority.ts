import { type Caller, contentPath, type Kernel, locate, type ResolvedNode, type Site, type Transaction } from '#core';
import { BadRequest, Forbidden } from '#lib/errors';
import { hasManager, lockPeople } from './statements/principals.ts';

/** Permissions that only this feature uses, in Plone's spelling. */
export const ADD_MEMBER = 'Add portal member';
export const READ_PEOPLE = 'Access Plone user information';
export const SET_OWN_PROPERTIES = 'Set own properties';
export const SET_OWN_PASSWORD = 'Set own password';

/** The role that may do everything. */
const MANAGER = 'Manager';

/** The sets of roles that have a permission or a transition, on the site and in its workflows. */
function* roleSets(site: Site): Generator<readonly string[]> {
  yield* Object.values(site.roleMap);
  for (const { states, transitions } of site.workflows.values()) {
    for (const { permissions } of Object.values(states)) {
      for (const { roles } of Object.values(permissions ?? {})) yield roles;
    }
    for (const { guard } of Object.values(transitions)) if (guard?.roles?.length) yield guard.roles;
  }
}

/**
 * Says if the caller may give a role to others, and change the users who have it. Managers may do so for every role, others for roles that they have
 * themselves or that allow no more than their own roles. So a Site Administrator can appoint Reviewers, but no user can give rights beyond their own.
 */
export function covers(site: Site, caller: Caller, role: string): boolean {
  if (caller.roles.includes(MANAGER) || caller.roles.includes(role)) return true;
  if (role === MANAGER) return false;
  for (const roles of roleSets(site)) {
    if (!roles.includes(role) || roles.includes('Anonymous')) continue;
    if (!caller.roles.some((own) => roles.includes(own))) return false;
  }
  return true;
}

/** Throws Forbidden unless the caller covers all the roles: the present and the new roles of a user to be changed. */
export function requireAuthority(site: Site, caller: Caller, roles: readonly string[]): void {
  const beyond = roles.find((role) => !covers(site, caller, role));
  if (beyond !== undefined) throw new Forbidden(`The role "${beyond}" has rights that you do not have.`);
}

/** The transaction, site and root of a change of accounts or groups. Permissions over people are checked at the `root`. */
export type PeopleChange = { tx: Transaction; site: Site; root: ResolvedNode };

/** Loads the site and its root. */
async function locateRoot(kernel: Kernel): Promise<{ site: Site; root: ResolvedNode }> {
  const { site, resolved } = await locate(kernel, contentPath.ROOT);
  if (!resolved) throw new Error('The site has no root');
  return { site, root: resolved };
}

/**
 * Runs a change of accounts or groups in one transaction; only one such change runs at a time. Throws BadRequest and rolls back when the site would
 * have no Manager who can log in.
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
