import type { CatalogIndex } from '../catalog-index.ts';
import { fieldIndex } from './field-index.ts';

/** An index of identifiers. Nobody sorts by them. */
export const uuidIndex = (name: string, column: string): CatalogIndex => {
  const { condition } = fieldIndex(name, column);
  return condition ? { name, condition } : { name };
};
