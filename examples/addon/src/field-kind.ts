import { FieldError, type FieldKind } from 'canopy-server';

const EFFORTS: unknown[] = ['low', 'medium', 'high'];

/** Fields with the factory `Example effort`: `low`, `medium` or `high`, in letters of any case. */
export const effortKind: FieldKind = {
  factories: [{ name: 'Example effort', property: { type: 'string' } }],
  indexes: ['field'],
  column: true,
  missing: null,
  deserialize(value) {
    const effort = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if (!EFFORTS.includes(effort)) throw new FieldError('Must be low, medium or high.');
    return effort;
  },
};
