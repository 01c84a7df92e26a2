import type { ProblemLog } from '../database.ts';
import type { StatementWatch } from '../statement-watch.ts';

/* The driver has no types of its own, so that what packages see must not lead to it. */

/**
 * Settings of a database on PostgreSQL. `poolSize` is the most connections for statements, 10 by default; listening takes one more.
 * With `leaseBackOff`, in milliseconds, it finds out whether this process is the only one that writes, and checks again after
 * that time when it is not (write-lease.ts).
 */
export type PostgresOptions = {
  log: ProblemLog;
  poolSize?: number;
  leaseBackOff?: number;
  /**
   * The address of the server itself, for what needs a session of its own: listening and migrations. With it, `url` leads through a
   * pooler of connections in transaction mode.
   */
  directUrl?: string | undefined;
  watch?: StatementWatch | undefined;
};
