import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readNumber } from '../read-value.ts';

/** An index of numbers, in a numeric column. */
export const positionIndex = (name: string, column: string): CatalogIndex => ({
  name,
  condition({ values, range, not }, parameters) {
    const numbers = (list: readonly unknown[]) => list.map((value) => readNumber(name, value));
    const add = (value: unknown) => `${parameters.add(value)}::float8`;
    const within = () => {
      const sorted = numbers(values).sort((a, b) => a - b);
      return allOf([
        range === 'max' ? undefined : `${column} >= ${add(sorted[0])}`,
        range === 'min' ? undefined : `${column} <= ${add(sorted.at(-1))}`,
      ]);
    };
    const one = () => `${column} = any(${parameters.add(numbers(values))}::float8[])`;
    return allOf([
      values.length === 0 ? undefined : range ? within() : one(),
      not.length === 0 ? undefined : `${column} <> all(${parameters.add(numbers(not))}::float8[])`,
    ]);
  },
  sort: () => column,
});
