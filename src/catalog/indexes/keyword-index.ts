import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readText } from '../read-value.ts';

/** An index with several texts for each object, in a column of type text[]. */
export const keywordIndex = (name: string, column: string): CatalogIndex => ({
  name,
  condition({ values, operator, range, not }, parameters) {
    const texts = (list: readonly unknown[]) => parameters.add(list.map((value) => readText(name, value)));
    const given = () => {
      if (!range) return `${column} ${operator === 'and' ? '@>' : '&&'} ${texts(values)}::text[]`;
      const sorted = values.map((value) => readText(name, value)).sort();
      const bounds = allOf([
        range === 'max' ? undefined : `word >= ${parameters.add(sorted[0])}::text`,
        range === 'min' ? undefined : `word <= ${parameters.add(sorted.at(-1))}::text`,
      ]);
      return `exists (select from unnest(${column}) word where ${bounds})`;
    };
    return allOf([
      values.length === 0 ? undefined : given(),
      not.length === 0 ? undefined : `not (${column} && ${texts(not)}::text[])`,
    ]);
  },
});
