import { forwardClock } from '../../lib/process/process.ts';
import { hasProvablyEnded, processIdentity } from '../../lib/process/process-identity.ts';
import { DatabaseUnavailable, type ProblemLog, type Statement } from '../database.ts';
import { LOCK_NOT_AVAILABLE, sqlState } from '../sql-errors.ts';

/** Milliseconds for which a lease is valid from the moment of its request. Others wait longer (await_write_lease). */
const TRUST_MS = 2000;
/** Milliseconds between two renewals, and the longest time for which another writer waits for this process. */
const RENEW_MS = 500;
/** Milliseconds without a use after which the lease is given up, so that others do not wait for it. */
const IDLE_MS = 10_000;
/** Milliseconds until another attempt, after others had the lease or wanted to write. */
export const LEASE_BACK_OFF_MS = 30_000;
/** Maximum milliseconds for which taking a lease may delay writers. */
const TAKE_LIMIT_MS = 200;

const [WRITERS, OTHER_WRITERS] = [4_072_026_004, 4_072_026_005];

/** Runs a statement, or several in one transaction that is rolled back when one of them fails; returns the rows of the last one. */
export type RunStatements = <R extends object>(statements: readonly Statement[]) => Promise<R[]>;

/** The prefix of the names of the processes of this program, by which they find each other. */
export const PROCESS_NAME = 'canopy-';

/**
 * Loads the holder of the lease, and says if a request for it makes sense: not if other processes would soon want it, or if this connection has lost
 * its name on the way, so that its own writes would wait. Before the migration of the table a column may be missing.
 */
const LOOK = `select (select to_jsonb(l) from write_lease l) as holder,
  current_setting('application_name') = $1 and not exists (select from pg_stat_activity
    where datname = current_database() and application_name like '${PROCESS_NAME}%' and application_name <> $1) as sensible`;

/** The holder of the lease: the name of its connections, and its process. */
type Holder = { process: string; running_as?: string | null };

const TAKE = `insert into write_lease (process, running_as) select $1, $2
  where not exists (select from write_lease) returning process`;

/** Finds no lease when another process that wants to write holds the lock, or has removed the lease. */
const RENEW = `select process from write_lease where process = $1 and pg_try_advisory_xact_lock(${OTHER_WRITERS})`;

const REMOVE = 'delete from write_lease where process = $1';

/**
 * Decides if this process is the only one that writes to the database, so that it has all changes without asking. The lease is taken on request, and
 * given up when it is not used or another process waits to write (docs/decisions/0013-write-lease.md).
 */
export class WriteLease {
  readonly #process: string;
  readonly #run: RunStatements;
  readonly #log: ProblemLog;
  readonly #backOff: number;
  readonly #now = forwardClock();
  #trustedUntil = 0;
  #lastUse = Number.NEGATIVE_INFINITY;
  #nextAttempt = 0;
  #taken = 0;
  /** Grows when an attempt that is under way must not succeed any more. */
  #attempts = 0;
  #isClosed = false;
  #work: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `backOff` is the time in milliseconds until another attempt after the lease could not be taken. */
  constructor(process: string, { run, log, backOff }: { run: RunStatements; log: ProblemLog; backOff: number }) {
    this.#process = process;
    this.#run = run;
    this.#log = log;
    this.#backOff = backOff;
  }

  /**
   * Removes a lease that an ended process has left behind, before others wait for it: at once if the process has certainly ended, else by waiting in
   * the background, unless other processes exist that may have it.
   */
  async clear(): Promise<void> {
    try {
      const [table] = await this.#run<{ present: boolean }>([
        { text: `select to_regclass('write_lease') is not null as present` },
      ]);
      const found = table?.present ? await this.#look() : undefined;
      if (!found?.holder || (await this.#removeEnded(found.holder)) || !found.sensible) return;
      this.#begin(() => this.#outwait());
    } catch (error) {
      this.#report(error);
    }
  }

  /** The number of times that the lease was taken; data from before the last time may be outdated. Undefined without the lease. */
  use(): number | undefined {
    const now = this.#now();
    this.#lastUse = now;
    if (now < this.#trustedUntil) return this.#taken;
    if (now >= this.#nextAttempt) this.#begin(() => this.#take());
    return undefined;
  }

  /** Gives the lease up, and does not take it for some time, because writes of this process may still be under way. */
  giveUp(): void {
    this.#nextAttempt = this.#now() + this.#backOff;
    this.#attempts += 1;
    this.#trustedUntil = 0;
    this.#begin(() => this.#release());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#attempts += 1;
    clearTimeout(this.#timer);
    await this.#work;
    await this.#release().catch(this.#report);
  }

  #begin(work: () => Promise<void>): void {
    if (this.#work || this.#isClosed) return;
    this.#work = work()
      .catch(this.#report)
      .finally(() => {
        this.#work = undefined;
      });
  }

  async #look(): Promise<{ holder: Holder | null; sensible: boolean } | undefined> {
    const [found] = await this.#run<{ holder: Holder | null; sensible: boolean }>([
      { text: LOOK, values: [this.#process] },
    ]);
    return found;
  }

  /** Removes the lease of a process that has certainly ended, which cannot rely on it any more; returns true if it has ended. */
  async #removeEnded({ process, running_as: runningAs }: Holder): Promise<boolean> {
    if (!runningAs || !hasProvablyEnded(runningAs)) return false;
    await this.#run([{ text: REMOVE, values: [process] }]);
    return true;
  }

  /** Waits like any writer, until the process with the lease has given it up or its time is over. */
  async #outwait(): Promise<void> {
    await this.#run([{ text: 'select await_write_lease()' }]);
  }

  /** Takes the lease. Waits for running writers first, so that reads after it see their writes. */
  async #take(): Promise<void> {
    this.#nextAttempt = this.#now() + this.#backOff;
    const found = await this.#look();
    if (!found?.sensible) return;
    // Nobody else is connected.
    if (found.holder !== null && !(await this.#removeEnded(found.holder))) await this.#outwait();
    const [attempts, sent] = [this.#attempts, this.#now()];
    const rows = await this.#run([
      { text: `set local lock_timeout = ${TAKE_LIMIT_MS}` },
      { text: `select pg_advisory_xact_lock(${WRITERS})` },
      { text: `select pg_advisory_xact_lock(${OTHER_WRITERS})` },
      { text: TAKE, values: [this.#process, processIdentity() ?? null] },
    ]);
    if (rows.length === 0) return;
    this.#taken += 1;
    if (attempts !== this.#attempts) return this.#release();
    this.#trustedUntil = sent + TRUST_MS;
    this.#renewLater();
  }

  /** Logs an error, except outages, which the database reports itself, and long waits for writers. */
  #report = (error: unknown): void => {
    if (error instanceof DatabaseUnavailable || sqlState(error) === LOCK_NOT_AVAILABLE) return;
    this.#log('The lease to write alone could not be taken or given up', error);
  };

  #renewLater(): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#begin(() => this.#renew()), RENEW_MS).unref();
  }

  async #renew(): Promise<void> {
    const sent = this.#now();
    if (sent - this.#lastUse < IDLE_MS && this.#trustedUntil > 0) {
      const rows = await this.#run([{ text: RENEW, values: [this.#process] }]);
      if (rows.length > 0 && this.#trustedUntil > 0) {
        this.#trustedUntil = sent + TRUST_MS;
        this.#renewLater();
        return;
      }
      this.#nextAttempt = this.#now() + this.#backOff;
    }
    await this.#release();
  }

  async #release(): Promise<void> {
    this.#trustedUntil = 0;
    if (this.#taken > 0) await this.#run([{ text: REMOVE, values: [this.#process] }]);
  }
}
