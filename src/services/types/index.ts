import type { Service } from '../service.ts';
import { getType, getTypePart } from './get-type.ts';
import { getTypes } from './get-types.ts';

export const typesServices: Service[] = [getTypes, getType, getTypePart];
