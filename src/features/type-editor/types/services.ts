import type { Service } from '../../../services/service.ts';
import { deleteTypePart, patchType, patchTypePart, postType, putType } from './edit-type.ts';
import { getType, getTypePart } from './get-type.ts';
import { getTypes } from './get-types.ts';

export const typesServices: Service[] = [
  getTypes,
  getType,
  getTypePart,
  postType,
  patchType,
  putType,
  patchTypePart,
  deleteTypePart,
];
