import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { readDate } from '../read-value.ts';

/** An index of a time with beginning and end, each null for ever: it is in force at the dates that are asked for. */
export const dateRangeIndex = (name: string, from: string, to: string): CatalogIndex => ({
  name,
  condition({ values, not }, parameters) {
    const inForce = (value: unknown) => {
      const at = `${parameters.add(readDate(name, value))}::timestamptz`;
      return `(coalesce(${from}, '-infinity') <= ${at} and coalesce(${to}, 'infinity') > ${at})`;
    };
    return allOf([
      values.length === 0 ? undefined : values.map(inForce).join(' or '),
      ...not.map((value) => `not ${inForce(value)}`),
    ]);
  },
});
