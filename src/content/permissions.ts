import { Forbidden, Unauthorized } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { can, rolesOf } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { securityChain } from './security-chain.ts';

/** 401 for nobody, 403 for somebody: what a caller without a right is told. */
export function reject(caller: Caller, message?: string): never {
  throw caller.id === null ? new Unauthorized(message) : new Forbidden(message);
}

/** Whether the caller has a permission on an object. */
export const has = (site: Site, caller: Caller, resolved: ResolvedNode, permission: string): boolean =>
  can(permission, caller, securityChain(site, resolved), site.roleMap);

/** Throws 401 or 403 unless the caller has the permission on the object. */
export function requirePermission(site: Site, caller: Caller, resolved: ResolvedNode, permission: string): void {
  if (!has(site, caller, resolved, permission)) reject(caller);
}

/** Roles of the caller on an object, local ones included. */
export const rolesAt = (site: Site, caller: Caller, resolved: ResolvedNode): Set<string> =>
  rolesOf(caller, securityChain(site, resolved));
