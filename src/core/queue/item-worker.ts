import { type ItemKind, retryDelayMs } from './queue-kind.ts';
import { type QueueWorker, type QueueWorkerOptions, startQueueWorker } from './queue-worker.ts';
import {
  postponeItem,
  type QueueItem,
  removeExpired,
  removeItem,
  repeatItem,
  takeItem,
  untilNextItem,
} from './statements/items.ts';

/** Another run of an item that has succeeded. */
type Repetition = { delayMs: number; data: unknown };

/** The reason why an attempt failed. */
type Failure = {
  /** True if every other attempt would fail as well. */
  isFinal: boolean;
  /** The cause in one sentence. */
  message: string;
};

export type ItemWorkerOptions = Pick<QueueWorkerOptions, 'db' | 'log' | 'prepare'> & {
  kind: ItemKind;
  /** Does the work. It may return a repetition. An error is a failed attempt. */
  run(item: QueueItem): Promise<Repetition | undefined>;
  /** Logs an error of `run` and returns its meaning. */
  explain(error: unknown, item: QueueItem): Failure;
  /** Reports a failed attempt, with the error of `run`, after the item was stored for another attempt or given up. */
  onFailure?(item: QueueItem, failure: Failure & { waits: boolean; error: unknown }): Promise<void>;
};

/** Starts a worker for a kind whose rows are in the table of the queue. No transaction is open during the work on an item. */
export async function startItemWorker({
  db,
  log,
  kind,
  prepare = async () => ({ isReady: true }),
  run,
  explain,
  onFailure,
}: ItemWorkerOptions): Promise<QueueWorker> {
  async function fail(item: QueueItem, error: unknown): Promise<void> {
    const failure = explain(error, item);
    const { isFinal, message } = failure;
    if (isFinal) await removeItem(db, item.id);
    const delayMs = retryDelayMs(kind.backoff, item.attempts);
    const waits = !isFinal && (await postponeItem(db, item.id, { delayMs, error: message }));
    await onFailure?.(item, { ...failure, waits, error });
  }

  async function work(item: QueueItem): Promise<void> {
    let repetition: Repetition | undefined;
    try {
      repetition = await run(item);
    } catch (error) {
      return fail(item, error);
    }
    return repetition ? repeatItem(db, item.id, repetition) : removeItem(db, item.id);
  }

  return startQueueWorker({
    db,
    log,
    kind,
    async prepare() {
      if (kind.dropsExpired) await removeExpired(db, kind.name);
      return prepare();
    },
    async begin() {
      const item = await takeItem(db, kind);
      return item && { ended: work(item) };
    },
    untilNext: () => untilNextItem(db, kind.name),
  });
}
