import { Distribution } from '../lib/process/distribution.ts';
import { inSpan, isTraced, type Trace } from '../lib/process/trace.ts';
import type { Statement } from './database.ts';
import type { BatchOutcome } from './wire-rows.ts';

/** Bounds of the durations of round trips to the database, in seconds. */
const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Maximum length of the text of one statement in a report, and of all statements that were sent together. */
const MAX_TEXT_LENGTH = 2000;
const MAX_TEXTS_LENGTH = 6000;

/** Slow statements that were sent together. Reports do not contain their values. */
type SlowStatement = {
  statement: string;
  statements: number;
  ms: number;
  rows: number;
  trace: Trace | undefined;
};

/** The function that reports slow statements, and the minimum milliseconds of a slow statement. */
type SlowReport = { slowMs: number; report(slow: SlowStatement): void };

/** The statements that were sent, and their outcome. */
type Outcome = { rows: number; failed: boolean };

/** The text of statements that were sent together, cut to the limit for a line of the log. */
const textOf = (statements: readonly Statement[]): string =>
  statements
    .map(({ text }) => text.slice(0, MAX_TEXT_LENGTH).replaceAll(/\s+/g, ' ').trim())
    .join('; ')
    .slice(0, MAX_TEXTS_LENGTH);

/** Counts the statements of a database, times their round trips, and reports slow ones. */
export class StatementWatch {
  readonly #slow: SlowReport | undefined;
  /** Statements that were sent. */
  sent = 0;
  /** Round trips with a failed statement. */
  failures = 0;
  /** Durations in seconds of round trips, of which each has one statement or several. */
  readonly durations = new Distribution(BOUNDS_SECONDS);

  constructor(slow?: SlowReport) {
    this.#slow = slow;
  }

  /** Sends one statement, which returns its rows. */
  one<R>(statement: Statement, send: () => Promise<R[]>): Promise<R[]> {
    const outcomeOf = (rows: R[]): Outcome => ({ rows: rows.length, failed: false });
    return this.#during([statement], statement.trace, { send, outcomeOf });
  }

  /** Sends statements of a transaction together. */
  batch(
    statements: readonly Statement[],
    trace: Trace | undefined,
    send: () => Promise<BatchOutcome>,
  ): Promise<BatchOutcome> {
    const outcomeOf = ({ results, failure }: BatchOutcome): Outcome => ({
      rows: results.reduce((sum, { rows }) => sum + rows.length, 0),
      failed: failure !== undefined,
    });
    return this.#during(statements, trace, { send, outcomeOf });
  }

  async #during<T>(
    statements: readonly Statement[],
    trace: Trace | undefined,
    { send, outcomeOf }: { send: () => Promise<T>; outcomeOf(result: T): Outcome },
  ): Promise<T> {
    const began = performance.now();
    try {
      const result = await (isTraced()
        ? inSpan(nameOf(statements), { attributes: attributesOf(statements) }, async (describe) => {
            const sent = await send();
            describe({ 'db.response.returned_rows': outcomeOf(sent).rows });
            return sent;
          })
        : send());
      this.#note(statements, trace, performance.now() - began, outcomeOf(result));
      return result;
    } catch (error) {
      this.#note(statements, trace, performance.now() - began, { rows: 0, failed: true });
      throw error;
    }
  }

  #note(statements: readonly Statement[], trace: Trace | undefined, ms: number, { rows, failed }: Outcome): void {
    this.sent += statements.length;
    if (failed) this.failures += 1;
    this.durations.add(ms / 1000);
    if (trace) {
      trace.statements += statements.length;
      trace.statementMs += ms;
    }
    if (this.#slow && ms >= this.#slow.slowMs)
      this.#slow.report({ statement: textOf(statements), statements: statements.length, ms, rows, trace });
  }
}

/** The name of the span of a round trip. */
const nameOf = (statements: readonly Statement[]): string =>
  statements.length === 1 ? (statements[0]?.name ?? 'statement') : 'batch';

/** Attributes of the span of a round trip (semantic conventions of OpenTelemetry). */
const attributesOf = (statements: readonly Statement[]) => ({
  'db.system.name': 'postgresql',
  'db.query.text': textOf(statements),
  ...(statements.length > 1 && { 'db.operation.batch.size': statements.length }),
});
