/** The description of the API: the schemas of the content types of a site. */
export { siteSchemas } from '../services/openapi/type-schemas.ts';
export { usedSchemas } from '../services/openapi/used-schemas.ts';
