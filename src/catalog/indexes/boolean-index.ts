import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readBoolean } from '../read-value.ts';

/** An index of truth values; `expression` is never null. */
export const booleanIndex = (name: string, expression: string): CatalogIndex => ({
  name,
  condition: ({ values, not }, parameters) => {
    const read = (list: readonly unknown[]) => parameters.add(list.map((value) => readBoolean(name, value)));
    return allOf([
      values.length === 0 ? undefined : `${expression} = any(${read(values)}::boolean[])`,
      not.length === 0 ? undefined : `${expression} <> all(${read(not)}::boolean[])`,
    ]);
  },
  sort: () => expression,
});
