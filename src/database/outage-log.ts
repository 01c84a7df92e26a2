import type { ProblemLog } from './database.ts';

/** Milliseconds without a failure after which successful work ends an outage. */
const QUIET_MS = 1000;

/**
 * Logs the outages of a server, not each error that they cause: a line when an outage begins, with the first error, and a line when it is over, with
 * the number of failures.
 */
export class OutageLog {
  readonly #log: ProblemLog;
  readonly #name: string;
  #outage: { began: number; last: number; failures: number } | undefined;

  /** `name` is the name of the server, capitalised for the beginning of a sentence. */
  constructor(name: string, log: ProblemLog) {
    this.#name = name;
    this.#log = log;
  }

  /** Notes a problem of the server. */
  noticed(error: unknown): void {
    const now = Date.now();
    if (this.#outage) {
      this.#outage.last = now;
      return;
    }
    this.#outage = { began: now, last: now, failures: 0 };
    this.#log(`${this.#name} cannot be reached or used`, error);
  }

  /** Notes that work of a request or a job failed because of the server. */
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
