/** Permissions of callers on content: security chains, roles in a place, and the types that a container takes. */

export { requireType } from '../content/create-content.ts';
export {
  allowsDiscussion,
  mayReadReviews,
  rolesAt,
  securityChain as chain,
  securityNode as node,
  takesType,
} from '../content/permissions.ts';
export { dropLocalRoles } from '../content/security-index.ts';
