import { type Caller, callers, type Database, type Kernel, type Transaction } from '#core';
import { ClientError } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { inSpan, inTrace, logMark, parseTrace, type Trace } from '#lib/process/trace';
import { jobDatabase } from './job-environment.ts';
import { jobRetention } from './panel.ts';
import { parseJobParams } from './params.ts';
import { JOBS } from './queue.ts';
import { pruneJobs } from './statements/jobs.ts';
import {
  finishJob,
  type JobOutcome,
  type JobProgress,
  type LeasedJob,
  loadCheckpoint,
  releaseJob,
  renewLease,
  writeCheckpoint,
} from './statements/lease.ts';

/** Interval at which a worker renews the lease of a running job. */
const HEARTBEAT_MS = 15_000;
/** Shortest time between two writes of the progress. */
const PROGRESS_INTERVAL_MS = 1000;

/** The reason why a job is cancelled: a user aborted it, the process stops, or another worker has taken the job over. */
type CancelReason = 'aborted' | 'stopped' | 'lost';

/** Reason of the abort signal of a cancelled job; its action throws it. */
class JobCancelled extends Error {}

/** Finds the user in whose name a job runs, with the present rights; undefined when the user does not exist. */
export type FindCaller = (id: string) => Promise<Caller | undefined>;

/** A job that runs in this process: renews the lease, writes the progress, and stores the outcome. */
export class RunningJob {
  readonly #kernel: Kernel;
  readonly #job: LeasedJob;
  readonly #findCaller: FindCaller;
  readonly #controller = new AbortController();
  readonly #trace: Trace | undefined;
  #cancelled: CancelReason | undefined;
  #progress: JobProgress | undefined;
  /** The running renewal of the lease. */
  #heartbeat: Promise<void> | undefined;
  /** Time of the last renewal that succeeded. */
  #renewedAt = Date.now();
  #progressWrittenAt = 0;
  /** Fulfilled once the job has ended in this process; never rejected. */
  readonly ended: Promise<void>;

  constructor(kernel: Kernel, job: LeasedJob, findCaller: FindCaller) {
    this.#trace = parseTrace(job.trace);
    this.#kernel = { ...kernel, log: kernel.log.child(logMark(this.#trace)) };
    this.#job = job;
    this.#findCaller = findCaller;
    this.ended = this.#runToEnd();
  }

  /** Makes the action stop at its next step. Only the first reason counts. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason;
    this.#controller.abort(new JobCancelled(`The job was ${reason}`));
  }

  async #runToEnd(): Promise<void> {
    const timer = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    try {
      const outcome = await this.#runInSpan().catch((error: unknown) => this.#outcomeOfError(error));
      clearInterval(timer);
      await this.#heartbeat;
      await this.#storeOutcome(outcome);
    } catch (error) {
      // The outcome could not be stored: the lease expires and another worker takes the job.
      this.#kernel.log.error({ err: error, job: this.#job.id }, 'storing the outcome of a job failed');
    } finally {
      clearInterval(timer);
    }
  }

  /** Runs the action in a span of the request that has begun the job. */
  #runInSpan(): Promise<JobOutcome> {
    const { action, id } = this.#job;
    const attributes = { 'canopy.job': id, 'canopy.action': action };
    return inTrace(this.#trace, () =>
      inSpan(`job ${action}`, { attributes, kind: 'internal' }, () => this.#runAction()),
    );
  }

  async #runAction(): Promise<JobOutcome> {
    const kernel = this.#kernel;
    const action = kernel.jobActions.get(this.#job.action);
    if (!action) throw new Error(`The job action ${this.#job.action} was taken and is not known`);
    const params = parseJobParams(action, this.#job.params, await kernel.sites.current());
    const caller = await this.#caller();
    if (!caller) return { status: 'failed', error: `The user "${this.#job.actor}" who asked for it is gone.` };
    const { signal } = this.#controller;
    signal.throwIfAborted();
    const db = jobDatabase(kernel.db, signal, this.#trace);
    const result = await action.run({
      kernel: { ...kernel, db },
      params,
      caller,
      signal,
      progress: (done, total) => {
        this.#progress = { done, total };
        if (Date.now() - this.#progressWrittenAt >= PROGRESS_INTERVAL_MS) this.#beat();
      },
      step: (work) => this.#runStep(db, work),
    });
    return { status: 'completed', result };
  }

  /** Runs a step of the action in one transaction with its checkpoint; nothing is committed when the lease is lost. */
  async #runStep<S extends JobProgress & { checkpoint: JsonObject }>(
    db: Database,
    work: (tx: Transaction, checkpoint: JsonObject) => Promise<S>,
  ): Promise<S> {
    const { signal } = this.#controller;
    const step = await db.transaction(async (tx) => {
      const checkpoint = await loadCheckpoint(tx, this.#job);
      const done = checkpoint && (await work(tx, checkpoint));
      // Written last, so that the row of the job is locked as briefly as possible.
      if (done && (await writeCheckpoint(tx, this.#job, done))) return done;
      this.cancel('lost');
      throw signal.reason;
    });
    this.#progress = { done: step.done, total: step.total };
    return step;
  }

  async #caller(): Promise<Caller | undefined> {
    const { id, actor, asSystem } = this.#job;
    const caller = asSystem ? callers.system(actor) : actor === null ? undefined : await this.#findCaller(actor);
    return caller && { ...caller, agent: { kind: 'job', id } };
  }

  /** The outcome of a job whose action threw; undefined when the job has to run again, or runs elsewhere. */
  #outcomeOfError(error: unknown): JobOutcome | undefined {
    const { id, action } = this.#job;
    if (this.#cancelled !== undefined) {
      if (!(error instanceof JobCancelled))
        this.#kernel.log.warn({ err: error, job: id, action }, 'a cancelled job failed');
      return this.#cancelled === 'aborted' ? { status: 'aborted' } : undefined;
    }
    if (error instanceof ClientError) return { status: 'failed', error: error.message };
    this.#kernel.log.error({ err: error, job: id, action }, 'a job failed');
    return { status: 'failed', error: `Internal error. The log has the cause under ${id}.` };
  }

  async #storeOutcome(outcome: JobOutcome | undefined): Promise<void> {
    const { db, sites, log } = this.#kernel;
    if (outcome) {
      const progress = this.#progress;
      if (!(await finishJob(db, this.#job, { ...outcome, progress })))
        log.warn({ job: this.#job.id }, 'a job ended that another worker has taken over');
      await pruneJobs(db, jobRetention(await sites.current()));
    } else if (this.#cancelled === 'stopped') await releaseJob(db, this.#job);
  }

  /** Renews the lease and writes the progress, unless a renewal is running. */
  #beat(): void {
    this.#progressWrittenAt = Date.now();
    this.#heartbeat ??= this.#renewLease().finally(() => {
      this.#heartbeat = undefined;
    });
  }

  async #renewLease(): Promise<void> {
    try {
      const renewed = await renewLease(this.#kernel.db, this.#job, { leaseMs: JOBS.leaseMs, progress: this.#progress });
      if (!renewed) this.cancel('lost');
      else if (renewed.abortRequested) this.cancel('aborted');
      this.#renewedAt = Date.now();
    } catch (error) {
      this.#kernel.log.error({ err: error, job: this.#job.id }, 'renewing the lease of a job failed');
      if (Date.now() - this.#renewedAt > JOBS.leaseMs) this.cancel('lost');
    }
  }
}
