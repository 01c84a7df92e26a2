import { isJsonObject } from '../../lib/json-object.ts';
import type { RelationItem } from './relation-change.ts';

const isItem = (value: unknown): value is RelationItem =>
  isJsonObject(value) && [value.source, value.target, value.relation].every((part) => typeof part === 'string');

/** The relations of a body that its schema has let pass. */
export const readItems = (value: unknown): RelationItem[] => (Array.isArray(value) ? value.filter(isItem) : []);
