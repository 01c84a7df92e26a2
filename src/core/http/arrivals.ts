import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum number of turns of the event loop that one piece of work gives to waiting connections. */
const MAX_TURNS = 200;
/** Turns without a new connection after which no connection is waiting: the first turn may begin after Node has looked for connections. */
const QUIET_TURNS = 2;

/**
 * The connections that clients open. Node takes one connection in each turn of its event loop (libuv since 1.45). If work filled every turn for 20
 * milliseconds, a queue of 500 connections would wait for ten seconds.
 */
export class Arrivals {
  #taken = 0;
  #last: Promise<void> = Promise.resolve();

  /** Counts a connection that has been taken. */
  take(): void {
    this.#taken += 1;
  }

  /**
   * Takes waiting connections, and runs other due work, before the caller goes on. Callers go on one after the other, with connections taken between
   * them: all callers at once would make one long turn.
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
