import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readText } from '../read-value.ts';

/** An index of the UIDs that objects refer to by one of their relation fields. */
export const referenceIndex = (name: string, relation: string): CatalogIndex => ({
  name,
  condition({ values, operator, not }, parameters) {
    const field = parameters.add(relation);
    const refers = (targets: readonly string[]) =>
      `exists (select from reference r where r.source = c.oid and r.relation = ${field}::text and r.target = any(${parameters.add(targets)}::text[]))`;
    const read = (list: readonly unknown[]) => list.map((value) => readText(name, value));
    const given = () =>
      operator === 'and' ? allOf(read(values).map((target) => refers([target]))) : refers(read(values));
    return allOf([
      values.length === 0 ? undefined : given(),
      not.length === 0 ? undefined : `not ${refers(read(not))}`,
    ]);
  },
});
