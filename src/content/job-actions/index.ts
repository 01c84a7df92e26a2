import type { JobAction } from '../../site/job-actions.ts';
import { pruneVersionsAction } from './prune-versions.ts';
import { purgeRecyclebin } from './purge-recyclebin.ts';
import { reindex } from './reindex.ts';

/** The work of the content that can be done in the background. */
export const contentJobActions: readonly JobAction[] = [reindex, pruneVersionsAction, purgeRecyclebin];
