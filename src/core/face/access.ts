/** Rights of callers in places of the tree: security chains, roles, and the types that a container takes. */

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
