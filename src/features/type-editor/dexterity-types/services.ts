import type { Service } from '../../../services/service.ts';
import { deleteType } from './delete-type.ts';
import { getType } from './get-type.ts';
import { getTypes } from './get-types.ts';
import { patchType } from './patch-type.ts';
import { postType, postTypes } from './post-type.ts';

/** The control panel of content types: what they are called, what they contain, which behaviors they have. */
export const dexterityTypesServices: Service[] = [getTypes, getType, postTypes, postType, patchType, deleteType];
