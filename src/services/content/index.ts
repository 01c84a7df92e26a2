import type { Service } from '../service.ts';
import { deleteContent } from './delete-content.ts';
import { getContent } from './get-content.ts';
import { patchContent } from './patch-content.ts';
import { postContent } from './post-content.ts';

export const contentServices: Service[] = [getContent, postContent, patchContent, deleteContent];
