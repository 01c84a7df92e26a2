import type pg from 'pg';
import type { Statement } from '../database.ts';
import { encodeParameter } from '../sql-values.ts';
import { statementMessages } from '../statement-messages.ts';
import { type BatchOutcome, type Column, columnsOf, type Fields, type WireResult } from '../wire-rows.ts';

/** A statement that a connection has prepared: its text, and the columns of its rows. */
type Prepared = { text: string; columns: readonly Column[] };

/** The statements that a connection has prepared, by their names. */
export type PreparedStatements = Map<string, Prepared>;

/** The statements that each connection of a pool has prepared. */
export class PreparedByConnection {
  readonly #prepared = new WeakMap<pg.ClientBase, PreparedStatements>();

  of(client: pg.ClientBase): PreparedStatements {
    const known = this.#prepared.get(client);
    if (known) return known;
    const prepared: PreparedStatements = new Map();
    this.#prepared.set(client, prepared);
    return prepared;
  }
}

type Sent = { name: string; text: string; values: (string | null)[]; prepared: Prepared | undefined };

/**
 * Statements that are sent and answered together, in one round trip. The driver's own queries need one round trip each, and describe their columns
 * anew each time. A batch is passed to `query` of a connection, which calls its methods with the messages of the server.
 */
export class StatementBatch implements pg.Submittable {
  readonly #sent: readonly Sent[];
  readonly #prepared: PreparedStatements | undefined;
  readonly #results: WireResult[] = [];
  #columns: Column[] | undefined;
  #rows: Fields[] = [];
  #end: (outcome: BatchOutcome) => void = () => {};
  /** Fulfilled when the last statement has run, or a statement has failed. */
  readonly outcome: Promise<BatchOutcome>;

  /** Without `prepared`, names have no effect. Throws TypeError for values that cannot be parameters, and when two texts have the same name. */
  constructor(statements: readonly Statement[], prepared: PreparedStatements | undefined) {
    this.#prepared = prepared;
    this.#sent = statements.map(({ name = '', text, values = [] }) => {
      const known = prepared?.get(name);
      if (known !== undefined && known.text !== text) throw new TypeError(`Two statements have the name ${name}`);
      return { name: prepared ? name : '', text, values: values.map(encodeParameter), prepared: known };
    });
    this.outcome = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    const messages = statementMessages(this.#sent);
    // The driver reports a connection that is lost.
    if (stream.writable) stream.write(messages);
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = columnsOf(fields);
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text: command }: { text: string }): void {
    const sent = this.#sent[this.#results.length];
    const columns = sent?.prepared?.columns ?? this.#columns ?? [];
    if (sent && sent.name !== '' && !sent.prepared) this.#prepared?.set(sent.name, { text: sent.text, columns });
    this.#results.push({ columns, rows: this.#rows, command });
    this.#columns = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    this.#end({ results: this.#results });
  }

  handleError(error: unknown): void {
    this.#end({ results: this.#results, failure: { error } });
  }
}
