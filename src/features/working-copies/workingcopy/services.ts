import type { Service } from '../../../services/service.ts';
import { deleteWorkingcopy } from './delete-workingcopy.ts';
import { getWorkingcopy } from './get-workingcopy.ts';
import { patchWorkingcopy } from './patch-workingcopy.ts';
import { postWorkingcopy } from './post-workingcopy.ts';

export const workingcopyServices: Service[] = [getWorkingcopy, postWorkingcopy, patchWorkingcopy, deleteWorkingcopy];
