import {
  accounts,
  type BackgroundWork,
  callers,
  claims,
  has,
  type Kernel,
  locate,
  requestsWithin,
  type Transaction,
} from '#core';
import { ClientError, Forbidden } from '#lib/errors';
import { emitChange } from './events.ts';
import { queueFailureMails } from './mail.ts';
import { publishRelease } from './publish.ts';
import { PUBLISH } from './rights.ts';
import { findRelease, type Problem, type StoredRelease } from './statements/releases.ts';
import { failScheduled, lockDue, postponeRelease, RELEASES, untilNextRelease } from './statements/schedule.ts';

const GONE = 'The user who has scheduled it is gone or disabled.';
const NOT_ALLOWED = 'The user who has scheduled it may not publish releases any more.';
const FAILED = 'The server failed to publish it. Its log says why.';

/** Publishes a locked release in the name of the user who has scheduled it, with the rights that this user has now. */
async function publishScheduled(kernel: Kernel, tx: Transaction, release: StoredRelease): Promise<void> {
  const { base, prefer, scheduledBy } = release;
  const account = scheduledBy === null ? null : await accounts.load(tx, scheduledBy);
  if (!account || base === null) throw new Forbidden(GONE);
  await requestsWithin.inBackground(kernel, tx, {
    base,
    async work(sender) {
      const { site, resolved } = await locate(sender.kernel, '/');
      if (!resolved || !has(site, account.caller, resolved, PUBLISH)) throw new Forbidden(NOT_ALLOWED);
      const authentication = requestsWithin.onBehalfOf(account);
      await publishRelease(sender, authentication, { release, prefer: prefer ?? undefined, now: new Date() });
    },
  });
}

/** The reason of a failure that another attempt would have as well; undefined for others. */
function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof ClientError) || error.status >= 500) return undefined;
  return { part: error.part ?? null, status: error.status, message: error.message };
}

/** Notes that a release was not published, or when it is tried again. */
async function noteFailure(kernel: Kernel, release: StoredRelease, error: unknown): Promise<void> {
  const { id, attempts } = release;
  const isLast = attempts + 1 >= RELEASES.maxAttempts;
  const problem = problemOf(error) ?? (isLast ? { part: null, status: 500, message: FAILED } : undefined);
  if (problem?.status !== 500 && problem)
    kernel.log.warn({ release: id, reason: problem.message }, 'a scheduled release was not published');
  else kernel.log.error({ err: error, release: id }, 'publishing a scheduled release failed');
  const site = await kernel.sites.current();
  await kernel.db.transaction(async (tx) => {
    if (!problem) {
      const delayMs = claims.retryDelayMs(RELEASES.backoff, attempts + 1);
      return postponeRelease(tx, { id, attempts, delayMs });
    }
    if (!(await failScheduled(tx, { id, attempts, problem }))) return;
    await emitChange({ kernel, caller: callers.system() }, tx, release, 'failed');
    await queueFailureMails(tx, kernel, site, release);
  });
}

/**
 * Publishes the next release that is due, in the transaction that takes it: any number of processes may do so, and each goes live once. A release
 * whose process is killed is taken by another one. Returns false if none was due.
 */
export async function publishDue(kernel: Kernel): Promise<boolean> {
  let taken: StoredRelease | undefined;
  try {
    return await kernel.db.transaction(async (tx) => {
      const id = await lockDue(tx);
      taken = id === undefined ? undefined : await findRelease(tx, id);
      if (taken) await publishScheduled(kernel, tx, taken);
      return taken !== undefined;
    });
  } catch (error) {
    // All of it is rolled back.
    if (!taken) throw error;
    await noteFailure(kernel, taken, error);
    return true;
  }
}

/** Publishes releases at their times until it is closed. */
export const startPublishing = (kernel: Kernel): Promise<BackgroundWork> =>
  claims.startWorker({
    db: kernel.db,
    log: kernel.log,
    kind: RELEASES,
    begin: async () => ((await publishDue(kernel)) ? { ended: Promise.resolve() } : undefined),
    untilNext: () => untilNextRelease(kernel.db),
  });
