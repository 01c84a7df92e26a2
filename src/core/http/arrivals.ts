import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum number of turns of the event loop that one piece of work gives to waiting connections. */
const MAX_TURNS = 200;
/** Turns without a new connection after which none is waiting: the first may begin after connections were looked for. */
const QUIET_TURNS = 2;

/**
 * The connections that clients open. Node takes one of them in each turn of its event loop (libuv since 1.45), so that behind work that
 * fills every turn for 20 milliseconds, a queue of 500 connections would wait for ten seconds.
 */
export class Arrivals {
  #taken = 0;
  #last: Promise<void> = Promise.resolve();

  /** Counts a connection that has been taken. */
  take(): void {
    this.#taken += 1;
  }

  /**
   * Lets the connections in that wait, and what else is due go on, before its caller does more work. Callers go on one after the other,
   * and connections are taken between them: the work of all at once would make for one long turn.
   */
  letIn(): Promise<void> {
    this.#last = this.#last.then(() => this.#takeAll());
    return this.#last;
  }

  async #takeAll(): Promise<void> {
    let quiet = 0;
    for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
      const before = this.#taken;
      await nextTurn();
      quiet = this.#taken === before ? quiet + 1 : 0;
    }
  }
}
