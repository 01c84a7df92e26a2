import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readText } from '../read-value.ts';

/**
 * An index of the UIDs that objects refer to by one of their relation fields. A target that the caller may not view is
 * referred to by nobody, as the field itself does not name it.
 */
export const referenceIndex = (name: string, relation: string): CatalogIndex => ({
  name,
  condition({ values, operator, not }, parameters, { principals }) {
    const field = parameters.add(relation);
    const viewers = parameters.add(principals);
    const visible = (targets: readonly string[]) =>
      `array(select t.uid from content t join catalog kt on kt.oid = t.oid
        where t.uid = any(${parameters.add(targets)}::text[]) and kt.allowed && ${viewers}::text[])`;
    const refers = (targets: readonly string[]) =>
      `exists (select from reference r where r.source = c.oid and r.relation = ${field}::text and r.target = any(${visible(targets)}))`;
    const read = (list: readonly unknown[]) => list.map((value) => readText(name, value));
    const given = () =>
      operator === 'and' ? allOf(read(values).map((target) => refers([target]))) : refers(read(values));
    return allOf([
      values.length === 0 ? undefined : given(),
      not.length === 0 ? undefined : `not ${refers(read(not))}`,
    ]);
  },
});
