/** Decisions on single objects, from the chain of their containers, and the parts that they are made of. */
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
