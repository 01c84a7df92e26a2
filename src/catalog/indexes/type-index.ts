import type { ContentType } from '../../types/content-type.ts';
import { allOf, type CatalogIndex } from '../catalog-index.ts';

/**
 * An index of something that all objects of a type have in common: it is looked up in the types of the site, so that a
 * change of a type counts at once. `has` tells whether a type has the value of a client.
 */
export const typeIndex = (name: string, has: (type: ContentType, value: unknown) => boolean): CatalogIndex => ({
  name,
  condition({ values, operator, not }, parameters, { types }) {
    const ids = (fits: (type: ContentType) => boolean) =>
      parameters.add([...types.values()].filter(fits).map(({ id }) => id));
    const some = (type: ContentType) => values.some((value) => has(type, value));
    const every = (type: ContentType) => values.every((value) => has(type, value));
    return allOf([
      values.length === 0 ? undefined : `c.type = any(${ids(operator === 'and' ? every : some)}::text[])`,
      not.length === 0 ? undefined : `c.type <> all(${ids((type) => not.some((value) => has(type, value)))}::text[])`,
    ]);
  },
});
