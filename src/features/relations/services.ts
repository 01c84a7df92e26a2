import type { Service } from '../../services/service.ts';
import { deleteRelations } from './delete-relations.ts';
import { getRelations } from './get-relations.ts';
import { postRebuild, postRelations } from './post-relations.ts';

export const relationsServices: Service[] = [getRelations, postRelations, postRebuild, deleteRelations];
