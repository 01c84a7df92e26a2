import type { ProblemLog } from './problem-log.ts';

/** What one attempt of a transaction wants done once it is committed. */
export class AfterCommitQueue {
  readonly #works: (() => void | Promise<void>)[] = [];

  add(work: () => void | Promise<void>): void {
    this.#works.push(work);
  }

  /** Runs all in the order they were added, one after the other. A failure is logged; the commit stands. */
  async run(log: ProblemLog): Promise<void> {
    for (const work of this.#works) {
      try {
        await work();
      } catch (error) {
        log('Work after a commit failed', error);
      }
    }
  }
}
