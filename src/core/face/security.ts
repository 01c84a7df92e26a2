/** Decisions on single objects, from the chain of their containers. */
export { can, localRolesAt, rolesWith, type SecurityNode as Node } from '../security/can.ts';
