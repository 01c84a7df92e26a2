import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ClientError } from '../../lib/errors.ts';
import { type Caller, callerFor } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Database } from '../../storage/database.ts';
import { jobRetention } from './panel.ts';
import { readParams } from './params.ts';
import { pruneJobs } from './statements/jobs.ts';
import { finishJob, type HeldJob, type JobOutcome, type JobProgress, keepJob, releaseJob } from './statements/lease.ts';

/** The user that works where nobody asked for it. */
export const SYSTEM = 'system';

/** Who a job works as that a Manager or the clock started: it may do everything, whatever has become of the actor. */
export const systemCaller = (actor: string | null): Caller => {
  const id = actor ?? SYSTEM;
  return callerFor({ id, login: id, fullname: '', roles: ['Manager'], groups: [] });
};

/**
 * The database as an action gets it. Whatever a job does, requests of the same process come between its statements and
 * transactions: the embedded database answers without a pause, and a loop over a whole site would let nobody else in. Throws
 * the reason of `signal` instead of beginning anything once the job is to stop.
 */
export function jobDatabase(db: Database, signal: AbortSignal): Database {
  const turn = async (): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  return {
    engine: db.engine,
    get writes() {
      return db.writes;
    },
    async query(statement) {
      await turn();
      return db.query(statement);
    },
    async transaction(work) {
      await turn();
      return db.transaction(work);
    },
    async script(sql) {
      await turn();
      return db.script(sql);
    },
    listen: (channel, handler) => db.listen(channel, handler),
    figures: () => db.figures(),
    close: () => db.close(),
  };
}

/** Milliseconds that a job stays with a worker of which nothing is heard. */
export const LEASE = 60_000;
/** How often a worker is heard of at least. */
const BEAT = 15_000;
/** Progress is written no more often than this. */
const PROGRESS = 1000;

/** Why a job is broken off: somebody asked for it, the process ends, or another worker has the job. */
type Why = 'aborted' | 'stopped' | 'lost';

/** What an action throws that is broken off. */
class BrokenOff extends Error {}

/** Finds the user in whose name a job runs, with the present rights; undefined when there is none. */
export type FindCaller = (id: string) => Promise<Caller | undefined>;

/** A job while this process runs it: keeps the lease, tells the progress, and writes down what becomes of it. */
export class RunningJob {
  readonly #kernel: Kernel;
  readonly #job: HeldJob;
  readonly #findCaller: FindCaller;
  readonly #controller = new AbortController();
  #why: Why | undefined;
  #progress: JobProgress | undefined;
  #beat: Promise<void> | undefined;
  #heard = Date.now();
  #written = 0;
  /** Fulfilled once the job has ended here; never rejected. */
  readonly ended: Promise<void>;

  constructor(kernel: Kernel, job: HeldJob, findCaller: FindCaller) {
    this.#kernel = kernel;
    this.#job = job;
    this.#findCaller = findCaller;
    this.ended = this.#live();
  }

  /** Asks the action to stop at its next step. The first reason counts. */
  cancel(why: Why): void {
    this.#why ??= why;
    this.#controller.abort(new BrokenOff(`The job was ${why}`));
  }

  async #live(): Promise<void> {
    const timer = setInterval(() => this.#tell(), BEAT).unref();
    try {
      const outcome = await this.#run().catch((error: unknown) => this.#failure(error));
      clearInterval(timer);
      await this.#beat;
      await this.#settle(outcome);
    } catch (error) {
      // Nothing could be written: the lease runs out, and another worker takes the job.
      this.#kernel.log.error({ err: error, job: this.#job.id }, 'writing down the end of a job failed');
    } finally {
      clearInterval(timer);
    }
  }

  async #run(): Promise<JobOutcome> {
    const kernel = this.#kernel;
    const action = kernel.jobActions.get(this.#job.action);
    if (!action) throw new Error(`The job action ${this.#job.action} was taken and is not known`);
    const params = readParams(action, this.#job.params, await kernel.sites.current());
    const caller = await this.#caller();
    if (!caller) return { status: 'failed', error: `The user "${this.#job.actor}" who asked for it is gone.` };
    const { signal } = this.#controller;
    signal.throwIfAborted();
    const result = await action.run({
      kernel: { ...kernel, db: jobDatabase(kernel.db, signal) },
      params,
      caller,
      signal,
      progress: (done, total) => {
        this.#progress = { done, total };
        if (Date.now() - this.#written >= PROGRESS) this.#tell();
      },
    });
    return { status: 'completed', result };
  }

  async #caller(): Promise<Caller | undefined> {
    const { actor, asSystem } = this.#job;
    if (asSystem) return systemCaller(actor);
    return actor === null ? undefined : this.#findCaller(actor);
  }

  /** What becomes of a job whose action threw; undefined when it is not over. */
  #failure(error: unknown): JobOutcome | undefined {
    const { id, action } = this.#job;
    if (this.#why !== undefined) {
      if (!(error instanceof BrokenOff)) this.#kernel.log.warn({ err: error, job: id, action }, 'a job was broken off');
      return this.#why === 'aborted' ? { status: 'aborted' } : undefined;
    }
    if (error instanceof ClientError) return { status: 'failed', error: error.message };
    this.#kernel.log.error({ err: error, job: id, action }, 'a job failed');
    return { status: 'failed', error: `Internal error. The log has the cause under ${id}.` };
  }

  async #settle(outcome: JobOutcome | undefined): Promise<void> {
    const { db, sites, log } = this.#kernel;
    if (outcome) {
      const progress = this.#progress;
      if (!(await finishJob(db, this.#job, { ...outcome, progress })))
        log.warn({ job: this.#job.id }, 'a job ended that another worker has taken');
      await pruneJobs(db, jobRetention(await sites.current()));
    } else if (this.#why === 'stopped') await releaseJob(db, this.#job);
  }

  /** Tells that the job is alive and how far it is, one time after the other. */
  #tell(): void {
    this.#written = Date.now();
    this.#beat ??= this.#keep().finally(() => {
      this.#beat = undefined;
    });
  }

  async #keep(): Promise<void> {
    try {
      const kept = await keepJob(this.#kernel.db, this.#job, { lease: LEASE, progress: this.#progress });
      if (!kept) this.cancel('lost');
      else if (kept.abortRequested) this.cancel('aborted');
      this.#heard = Date.now();
    } catch (error) {
      this.#kernel.log.error({ err: error, job: this.#job.id }, 'keeping a job failed');
      if (Date.now() - this.#heard > LEASE) this.cancel('lost');
    }
  }
}
