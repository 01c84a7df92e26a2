import type { Service } from '../../services/service.ts';
import { deleteEntry, deleteRecyclebin } from './delete-services.ts';
import { getEntry } from './get-entry.ts';
import { getRecyclebin } from './get-recyclebin.ts';
import { postRestore } from './post-restore.ts';

export const recyclebinServices: Service[] = [getRecyclebin, getEntry, postRestore, deleteRecyclebin, deleteEntry];
