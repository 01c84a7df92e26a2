import { controlPanels, MANAGE_PORTAL, permissions, VIEW } from '#core';

/** The role that may do everything. */
const MANAGER = 'Manager';

/** Roles that every Manager has beside `Manager`. */
const OF_MANAGERS: ReadonlySet<string> = new Set([MANAGER, 'Authenticated', 'Anonymous']);

/** Permissions that a Manager needs to undo a change of permissions, workflows and people. */
const KEPT: ReadonlySet<string> = new Set([
  permissions.USE_API,
  MANAGE_PORTAL,
  controlPanels.OVERVIEW,
  permissions.MANAGE_USERS,
  VIEW,
  'Access contents information',
]);

/** True if Managers would lose a permission that they need to undo the change, when only `roles` have it. */
export const lockedOut = (permission: string, roles: readonly string[]): boolean =>
  KEPT.has(permission) && !roles.some((role) => OF_MANAGERS.has(role));
