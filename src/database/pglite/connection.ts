import type { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import {
  type BackendMessage,
  CommandCompleteMessage,
  DatabaseError,
  DataRowMessage,
  NotificationResponseMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js';
import type { ProblemLog, Statement } from '../database.ts';
import { encodeParameter } from '../sql-values.ts';
import { statementMessages } from '../statement-messages.ts';
import { type BatchOutcome, type Column, columnsOf, type Fields, onlyRows, type WireResult } from '../wire-rows.ts';
import { MessageReader } from './message-reader.ts';

/** The server's messages so far for one request: complete results, and the parts of the next result. */
type Received = {
  results: WireResult[];
  columns: Column[] | undefined;
  rows: Fields[];
  failure: { error: unknown } | undefined;
};

/**
 * The one connection of an embedded database, over the wire protocol of PostgreSQL. A statement with a name is parsed and planned once and is then
 * one message, which costs a tenth of PGlite's own `query`, which parses and plans every statement anew and enters the engine six times.
 *
 * The caller keeps statements in order: statements of a transaction must not mix with others.
 */
export class PgliteConnection {
  readonly #pg: PGlite;
  readonly #log: ProblemLog;
  /** Columns of the statements that are prepared, by their names. */
  readonly #prepared = new Map<string, readonly Column[]>();
  readonly #handlers = new Map<string, Set<(payload: string) => void>>();
  readonly #reader = new MessageReader();
  #closed = false;

  constructor(pg: PGlite, log: ProblemLog) {
    this.#pg = pg;
    this.#log = log;
  }

  /** Runs one statement and returns its rows. Throws the error of the database, which has the fields of `pg`'s errors. */
  async query<R extends object>(statement: Statement): Promise<R[]> {
    return onlyRows<R>(await this.run([statement]));
  }

  /** Runs statements one after the other, as one message to the engine. */
  async run(statements: readonly Statement[]): Promise<BatchOutcome> {
    const messages = statementMessages(
      statements.map(({ text, name = '', values = [] }) => ({
        ...{ name, text, values: values.map(encodeParameter) },
        prepared: this.#prepared.get(name),
      })),
    );
    const { results, failure } = await this.#send(messages);
    const complete = results.map((result, index) => {
      const { name = '' } = statements[index] ?? {};
      const known = this.#prepared.get(name);
      if (known !== undefined) return { ...result, columns: known };
      if (name !== '') this.#prepared.set(name, result.columns);
      return result;
    });
    return { results: complete, ...(failure && { failure }) };
  }

  /**
   * Runs a script of several statements without parameters and returns the tag of its last command (`COMMIT`). A script may change tables, and thus
   * the results of prepared statements; `forgetPlans` then makes these anew.
   */
  async script(sql: string): Promise<string> {
    const { results, failure } = await this.#send(serialize.query(sql));
    if (failure) throw failure.error;
    return results.at(-1)?.command ?? '';
  }

  /** Prepares all statements anew when they are used next. */
  async forgetPlans(): Promise<void> {
    this.#prepared.clear();
    await this.script('deallocate all');
  }

  /**
   * Calls the handler for notifications on the channel; returns a function that stops this. For the first handler the caller must also run `LISTEN`.
   */
  addHandler(channel: string, handler: (payload: string) => void): () => boolean {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    return () => {
      handlers.delete(handler);
      return handlers.size === 0 && this.#handlers.get(channel) === handlers && this.#handlers.delete(channel);
    };
  }

  /** Ends the database. Later statements fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pg.close();
  }

  async #send(messages: Buffer): Promise<Received> {
    if (this.#closed) throw new Error('The embedded database is closed');
    const received: Received = { results: [], columns: undefined, rows: [], failure: undefined };
    const take = (message: BackendMessage) => this.#take(message, received);
    // A response that failed may have left bytes, which are no part of this one.
    this.#reader.clear();
    await this.#pg.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => this.#reader.add(bytes, take),
    });
    this.#reader.read(take);
    return received;
  }

  #take(message: BackendMessage, received: Received): void {
    if (message instanceof DataRowMessage) received.rows.push(message.fields);
    else if (message instanceof RowDescriptionMessage) {
      received.columns = columnsOf(message.fields);
    } else if (message instanceof CommandCompleteMessage) {
      received.results.push({ columns: received.columns ?? [], rows: received.rows, command: message.text });
      received.columns = undefined;
      received.rows = [];
    } else if (message instanceof DatabaseError) received.failure ??= { error: message };
    else if (message instanceof NotificationResponseMessage) this.#deliver(message.channel, message.payload);
  }

  #deliver(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) {
      // Handlers run after the statement has returned, because they use the database.
      queueMicrotask(() => {
        try {
          handler(payload);
        } catch (error) {
          this.#log(`A handler of notifications on ${channel} failed`, error);
        }
      });
    }
  }
}
