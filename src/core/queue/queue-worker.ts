import type { Database } from '../../database/database.ts';
import { afterStart } from '../../lib/process/first-work.ts';
import type { Log } from '../../lib/process/process.ts';
import { RunningWork } from '../../lib/process/running-work.ts';
import { startWakeLoop } from '../../lib/process/wake-loop.ts';
import type { QueueKind } from './queue-kind.ts';
import { QUEUE_CHANNEL } from './statements/claim.ts';

/** The worker of one kind in this process. */
export type QueueWorker = {
  /** Looks for work now. */
  wake(): void;
  /** Takes no more work; resolves when the work under way is done. */
  close(): Promise<void>;
};

/** Readiness to take work, and maximum milliseconds until the worker looks again. */
type Readiness = { isReady: boolean; againMs?: number | undefined };

export type QueueWorkerOptions = {
  db: Database;
  log: Log;
  kind: QueueKind;
  /** Called before each look for work. */
  prepare?(): Promise<Readiness>;
  /** Takes the next piece of work and begins it; undefined when none is due. */
  begin(): Promise<{ ended: Promise<void> } | undefined>;
  /** Milliseconds until the next piece of work is due. */
  untilNext?(): Promise<number | undefined>;
  /** Gets details that another process has sent. */
  onSignal?(detail: string): void;
  /** Stops running work early when the worker closes. */
  stop?(): void;
};

const READY: Readiness = { isReady: true };

/** Waits for work to end, at most for the given milliseconds, if any. */
async function endWithin(ended: Promise<void>, limitMs: number | undefined): Promise<void> {
  if (limitMs === undefined) return ended;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([ended, timeout]);
  clearTimeout(timer);
}

/**
 * Starts the worker of one kind. Any number of processes may run such workers: one process at a time takes a piece of work. Notifications of the
 * database wake the worker at the commit; a slow poll finds work whose notification was missed, or whose process has died. The first look is at once,
 * or after the start of the process where that holds first work.
 */
export async function startQueueWorker({
  db,
  log,
  kind,
  prepare = async () => READY,
  begin,
  untilNext = async () => undefined,
  onSignal,
  stop = () => undefined,
}: QueueWorkerOptions): Promise<QueueWorker> {
  const { name, concurrency, pollMs, minWaitMs, shutdownMs } = kind;
  const report = (error: unknown): void => log.error({ err: error, queue: name }, 'looking for work failed');
  const running = new RunningWork({
    atMost: concurrency,
    onError: (error) => log.error({ err: error, queue: name }, 'the end of a piece of work could not be stored'),
    onEnd: () => loop.wake(),
  });

  /** Begins as much work as there is room for. Returns milliseconds until more is due; undefined when there is no room. */
  async function takeWork(): Promise<number | undefined> {
    while (!loop.isClosed() && running.hasRoom) {
      const begun = await begin();
      if (!begun) return untilNext();
      running.add(begun.ended);
    }
    return undefined;
  }

  const loop = startWakeLoop({
    intervalMs: pollMs,
    onError: report,
    async look() {
      const { isReady, againMs = pollMs } = await prepare();
      const dueMs = isReady ? await takeWork().catch(report) : undefined;
      return Math.max(minWaitMs, Math.min(againMs, dueMs ?? pollMs));
    },
  });
  const stopListening = await db.listen(QUEUE_CHANNEL, (payload) => {
    const [to, detail] = payload.split(' ');
    if (to === name && detail !== undefined) onSignal?.(detail);
    // An empty notification stands for missed notifications.
    else if (to === name || to === '') loop.wake();
  });
  // Looks for work of a process that has ended.
  afterStart(db, loop.wake);
  return {
    wake: loop.wake,
    async close() {
      const lastLook = loop.close();
      stop();
      await stopListening();
      await lastLook;
      // The last look may have begun more work.
      stop();
      await endWithin(running.ended(), shutdownMs);
    },
  };
}
