/** Pieces of the configuration: their names, their missing parts, their uses. */
export { formProblems } from '../configuration/profiles/profile-schema.ts';
export { missingPart, pieceName as nameOf, typeWith } from '../configuration/site/check-configuration.ts';
export { withTerms } from '../configuration/site/field-terms.ts';
export { USER_SCHEMA } from '../configuration/site/site.ts';
export { delegationOf, knownPermissions } from '../configuration/site/site-permissions.ts';
