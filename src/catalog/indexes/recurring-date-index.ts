import { allOf, type CatalogIndex } from '../catalog-index.ts';
import { dateSpan } from '../read-value.ts';
import { dateBounds } from './date-index.ts';

/** An index of what takes place several times, in a column of type tstzmultirange: one of the times must fit. */
export const recurringDateIndex = (name: string, column: string): CatalogIndex => ({
  name,
  condition({ values, range, not }, parameters) {
    const between = (from: Date | null, to: Date | null, bounds: '[]' | '[)') =>
      `${column} && tstzrange(${parameters.add(from)}::timestamptz, ${parameters.add(to)}::timestamptz, '${bounds}')`;
    const exactly = (value: unknown) => {
      const { from, to } = dateSpan(name, value);
      return between(from, to, '[)');
    };
    const within = () => {
      const { least, greatest } = dateBounds(name, values);
      return between(range === 'max' ? null : least, range === 'min' ? null : greatest, '[]');
    };
    return allOf([
      values.length === 0 ? undefined : range ? within() : values.map(exactly).join(' or '),
      ...not.map((value) => `coalesce(not (${exactly(value)}), true)`),
    ]);
  },
  sort: () => `lower(${column})`,
});
