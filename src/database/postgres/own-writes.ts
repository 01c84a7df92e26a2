import { DatabaseUnavailable } from '../database.ts';
import type { WriteLease } from './write-lease.ts';

/** Counts the writes of this process, as long as it has the lease to write alone. */
export class OwnWrites {
  readonly #lease: WriteLease | undefined;
  #count = 0;
  #underWay = 0;

  /** Without a lease others may write at any time. */
  constructor(lease: WriteLease | undefined) {
    this.#lease = lease;
  }

  /** See `Database.writes`. Also undefined during a commit, because others may see its changes before this process is notified. */
  get number(): number | undefined {
    const taken = this.#lease?.use();
    return taken === undefined || this.#underWay > 0 ? undefined : taken + this.#count;
  }

  /** Runs work that may change the database for others. */
  async during<T>(write: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    this.#count += 1;
    try {
      return await write();
    } catch (error) {
      // The server may still be doing the write.
      if (error instanceof DatabaseUnavailable) this.#lease?.giveUp();
      throw error;
    } finally {
      this.#underWay -= 1;
      this.#count += 1;
    }
  }
}
