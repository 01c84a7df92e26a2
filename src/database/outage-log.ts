import type { ProblemLog } from './database.ts';

/** Milliseconds without a failure after which work that succeeds says that an outage is over. */
const QUIET_MS = 1000;

/**
 * Logs the outages of a server, not each error that they cause: a line when an outage begins, with the first error, and
 * a line when it is over, with how much failed meanwhile.
 */
export class OutageLog {
  readonly #log: ProblemLog;
  readonly #name: string;
  #outage: { began: number; last: number; failures: number } | undefined;

  /** `name` is the server, at the beginning of a sentence. */
  constructor(name: string, log: ProblemLog) {
    this.#name = name;
    this.#log = log;
  }

  /** Something is wrong with the server. */
  noticed(error: unknown): void {
    const now = Date.now();
    if (this.#outage) {
      this.#outage.last = now;
      return;
    }
    this.#outage = { began: now, last: now, failures: 0 };
    this.#log(`${this.#name} cannot be reached or used`, error);
  }

  /** Some work of a request or a job failed for it. */
  failed(error: unknown): void {
    this.noticed(error);
    if (this.#outage) this.#outage.failures += 1;
  }

  /** The server did its work. */
  worked(): void {
    if (!this.#outage) return;
    const { began, last, failures } = this.#outage;
    if (Date.now() - last < QUIET_MS) return;
    this.#outage = undefined;
    const seconds = Math.max(1, Math.round((last - began) / 1000));
    this.#log(`${this.#name} can be used again, after ${seconds} seconds in which ${failures} requests or jobs failed`);
  }
}
