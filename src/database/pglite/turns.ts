import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work without a pause after which other work of the process gets its turn. */
const PAUSE_AFTER_MS = 10;

/** Milliseconds without a user after which the connection counts as idle. */
const IDLE_MS = 200;

/** Gives the one connection to one user after the other, in the order of their calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #pausedAt = performance.now();
  #users = 0;
  #idleSince = performance.now();

  /** The number of users: the present one and the waiting ones. */
  get users(): number {
    return this.#users;
  }

  /** True when nobody uses the connection, and nobody has used it for a while. */
  get isIdle(): boolean {
    return this.#users === 0 && performance.now() - this.#idleSince > IDLE_MS;
  }

  /** Runs the work when all earlier work has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1;
    const turn = this.#last.then(work);
    // The caller gets the failure; the next user only waits for the end.
    this.#last = turn
      .catch(() => undefined)
      .then(() => {
        this.#users -= 1;
        this.#idleSince = performance.now();
      });
    return turn;
  }

  /**
   * Lets the process do other work when it has done none for a while. The embedded engine works in this thread and its statements never wait: without
   * pauses, no other work would run until the end of a long transaction.
   */
  async pause(): Promise<void> {
    if (performance.now() - this.#pausedAt < PAUSE_AFTER_MS) return;
    await nextTurn();
    this.#pausedAt = performance.now();
  }
}
