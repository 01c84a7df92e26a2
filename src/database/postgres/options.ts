import type { ProblemLog } from '../database.ts';
import type { StatementWatch } from '../statement-watch.ts';

/* The driver has no types of its own, so types that packages use must not refer to it. */

/**
 * Settings of a database on PostgreSQL. `poolSize` is the maximum number of connections for statements, 10 by default; listening takes one
 * more, as do orders to stop statements. With `leaseBackOff`, in milliseconds, it tries to take the write lease, and tries again after this time
 * without success (write-lease.ts).
 */
export type PostgresOptions = {
  log: ProblemLog;
  poolSize?: number;
  leaseBackOff?: number;
  /**
   * The address of the server itself, for work that needs a session of its own: listening and migrations. With it, `url` may lead through a
   * connection pooler in transaction mode.
   */
  directUrl?: string | undefined;
  watch?: StatementWatch | undefined;
};
