/** Decisions on permissions for single objects, from the chain of their containers, and parts of such decisions. */
export {
  can,
  INACTIVE_PERMISSIONS,
  inheritedNodes,
  localRolesAt,
  type RoleMap,
  rolesOf,
  rolesWith,
  type SecurityNode as Node,
  settingsAt,
} from '../security/can.ts';
