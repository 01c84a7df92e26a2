import type { JsonObject } from '../../../lib/json-object.ts';
import type { Role } from '../../../site/site.ts';

/** A role as plone.restapi represents it. */
export const roleJson = (base: string, { id, title }: Role): JsonObject => ({
  '@id': `${base}/@roles/${encodeURIComponent(id)}`,
  '@type': 'role',
  id,
  title,
});
