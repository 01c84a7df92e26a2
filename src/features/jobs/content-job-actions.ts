import { reindex } from '../../content/reindex-job.ts';
import type { JobAction } from '../../site/job-actions.ts';
import { pruneVersionsAction } from '../history/prune-versions.ts';
import { purgeRecyclebin } from '../recycle-bin/purge-recyclebin-job.ts';

/** The work of the content that can be done in the background. */
export const contentJobActions: readonly JobAction[] = [reindex, pruneVersionsAction, purgeRecyclebin];
