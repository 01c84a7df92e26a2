import { type PGlite, protocol } from '@electric-sql/pglite';
import type { ProblemLog, Statement } from '../database.ts';
import { encodeParameter } from '../sql-values.ts';
import { type BatchOutcome, type Column, columnsOf, type Fields, onlyRows, type WireResult } from '../wire-rows.ts';

const { messages, Parser, serialize } = protocol;

type ParsedMessage = Parameters<Parameters<InstanceType<typeof Parser>['parse']>[1]>[0];

/** The server's messages so far for one request: results that are complete, and the parts of the next one. */
type Received = {
  results: WireResult[];
  columns: Column[] | undefined;
  rows: Fields[];
  failure: { error: unknown } | undefined;
};

const SYNC = serialize.sync();
const DESCRIBE_PORTAL = serialize.describe({ type: 'P' });
const EXECUTE = serialize.execute();

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Prepares a statement. One that failed when it ran first is prepared already, so what has its name is closed before. */
const prepare = (name: string, text: string): Uint8Array[] => [
  ...(name === '' ? [] : [serialize.close({ type: 'S', name })]),
  serialize.parse({ name, text }),
];

/**
 * The one connection of an embedded database, over the wire protocol of PostgreSQL. A statement with a name is parsed and planned once
 * and is then one message, which costs a tenth of PGlite's own `query`: that one parses and plans every statement anew and enters the
 * engine six times for it.
 *
 * The caller keeps statements in order: those of a transaction must not mix with others.
 */
export class PgliteConnection {
  readonly #pg: PGlite;
  readonly #log: ProblemLog;
  /** Columns of the statements that are prepared, by their names. */
  readonly #prepared = new Map<string, readonly Column[]>();
  readonly #handlers = new Map<string, Set<(payload: string) => void>>();
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
    const parts: Uint8Array[] = [];
    for (const { text, name = '', values = [] } of statements) {
      const bind = serialize.bind({ statement: name, values: values.map(encodeParameter) });
      if (this.#prepared.has(name)) parts.push(bind, EXECUTE);
      else parts.push(...prepare(name, text), bind, DESCRIBE_PORTAL, EXECUTE);
    }
    const { results, failure } = await this.#send([...parts, SYNC]);
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
   * Runs a script of several statements without parameters and returns the tag of its last command (`COMMIT`). A script may
   * change tables, and with them what prepared statements return: `forgetPlans` makes them anew.
   */
  async script(sql: string): Promise<string> {
    const { results, failure } = await this.#send([serialize.query(sql)]);
    if (failure) throw failure.error;
    return results.at(-1)?.command ?? '';
  }

  /** Prepares all statements anew when they are used next. */
  async forgetPlans(): Promise<void> {
    this.#prepared.clear();
    await this.script('deallocate all');
  }

  /** Calls the handler for notifications on the channel; returns how to stop. The first handler needs `LISTEN` besides. */
  addHandler(channel: string, handler: (payload: string) => void): () => boolean {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    return () => {
      handlers.delete(handler);
      return handlers.size === 0 && this.#handlers.get(channel) === handlers && this.#handlers.delete(channel);
    };
  }

  /** Ends the database. Statements after it fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pg.close();
  }

  async #send(parts: readonly Uint8Array[]): Promise<Received> {
    if (this.#closed) throw new Error('The embedded database is closed');
    const received: Received = { results: [], columns: undefined, rows: [], failure: undefined };
    // A parser for each message: a fault in one response must not reach the next.
    const parser = new Parser();
    await this.#pg.execProtocolRawStream(concat(parts), {
      syncToFs: false,
      onRawData: (bytes) => parser.parse(bytes, (message) => this.#take(message, received)),
    });
    return received;
  }

  #take(message: ParsedMessage, received: Received): void {
    if (message instanceof messages.DataRowMessage) received.rows.push(message.fields);
    else if (message instanceof messages.RowDescriptionMessage) {
      received.columns = columnsOf(message.fields);
    } else if (message instanceof messages.CommandCompleteMessage) {
      received.results.push({ columns: received.columns ?? [], rows: received.rows, command: message.text });
      received.columns = undefined;
      received.rows = [];
    } else if (message instanceof messages.DatabaseError) received.failure ??= { error: message };
    else if (message instanceof messages.NotificationResponseMessage) this.#deliver(message.channel, message.payload);
  }

  #deliver(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) {
      // Not before the statement has returned: handlers use the database.
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
