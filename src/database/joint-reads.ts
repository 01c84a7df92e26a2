import type { Database, Statement } from './database.ts';
import { forward } from './forward.ts';
import { type BatchOutcome, toRows, type WireResult, withCallers } from './wire-rows.ts';

/** Sends statements as one message. Throws what fails. */
type SendTogether = (statements: readonly Statement[]) => Promise<readonly WireResult[]>;

type Waiting = {
  statement: Statement;
  send: SendTogether;
  resolve(result: WireResult): void;
  reject(error: unknown): void;
};

/** The results of statements that were sent together. Throws the failure of one of them. */
export function allResults({ results, failure }: BatchOutcome): readonly WireResult[] {
  if (failure) throw withCallers(failure.error);
  return results;
}

/**
 * The first reads of two that do not depend on each other, which go to the database as one message: the earlier one waits for the later
 * one. Whatever comes afterwards goes by itself.
 */
export class JointReads {
  #first: Waiting | undefined;
  #isOver = false;

  /** Runs a statement with the other one, or alone once both are sent. Throws the failure of either. */
  async read<R extends object>(statement: Statement, send: SendTogether): Promise<R[]> {
    const result = await new Promise<WireResult>((resolve, reject) => {
      const second = { statement, send, resolve, reject };
      if (this.#isOver) return void sendAll([second]);
      const first = this.#first;
      if (first === undefined) {
        this.#first = second;
        return;
      }
      this.#isOver = true;
      this.#first = undefined;
      void sendAll([first, second]);
    });
    return toRows<R>(result);
  }

  /** No other statement is to be waited for: one that waits is sent. */
  release(): void {
    const first = this.#first;
    this.#isOver = true;
    this.#first = undefined;
    if (first) void sendAll([first]);
  }
}

/** Sends what waits, by the means of the last one. Never fails: who waits is given the failure. */
async function sendAll(waiting: readonly Waiting[]): Promise<void> {
  try {
    const results = await waiting.at(-1)?.send(waiting.map(({ statement }) => statement));
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const result = results?.[index];
      if (result) resolve(result);
      else reject(new Error('The database did not answer a statement'));
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

/** A database of which the reads are joined with others. */
export const joining = (db: Database, joint: JointReads): Database =>
  forward(db, { query: (statement) => db.query(statement.reads ? { ...statement, joint } : statement) });
