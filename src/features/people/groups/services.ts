import type { Service } from '../../../services/service.ts';
import { deleteGroup } from './delete-group.ts';
import { getGroup } from './get-group.ts';
import { getGroups } from './get-groups.ts';
import { patchGroup } from './patch-group.ts';
import { postGroup } from './post-group.ts';

export const groupsServices: Service[] = [getGroups, getGroup, postGroup, patchGroup, deleteGroup];
