import { columnParser } from './sql-values.ts';

/** A column of a result: its name, and the parser of its texts. */
export type Column = { name: string; parse: (text: string) => unknown };

/** A row as the server sends it: the texts of its values, null for NULL. */
export type Fields = readonly (string | null)[];

/** The server's result of one statement. `command` is the tag of the command (`INSERT 0 1`). */
export type WireResult = { columns: readonly Column[]; rows: readonly Fields[]; command: string };

/**
 * The outcome of statements that were sent together: the results of the successful statements, in order, and the failure of the next one, after which
 * no other ran.
 */
export type BatchOutcome = { results: readonly WireResult[]; failure?: { error: unknown } };

/** The columns that the server describes. */
export const columnsOf = (fields: readonly { name: string; dataTypeID: number }[]): Column[] =>
  fields.map(({ name, dataTypeID }) => ({ name, parse: columnParser(dataTypeID) }));

/** Rows as objects. Throws RangeError for a number that JavaScript cannot hold. */
export function toRows<R extends object>({ columns, rows }: WireResult): R[] {
  return rows.map((fields) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of columns) {
      const text = fields[index];
      row[name] = text === null || text === undefined ? null : parse(text);
      index += 1;
    }
    return row as R;
  });
}

/** The rows of a statement that was sent alone. Throws its failure. */
export function onlyRows<R extends object>({ results: [result], failure }: BatchOutcome): R[] {
  if (failure) throw withCallers(failure.error);
  if (!result) throw new Error('The database did not answer a statement');
  return toRows(result);
}

/** An error of the database with the callers of the statement in its stack, instead of the place where its bytes arrived. */
export function withCallers(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, withCallers);
  return error;
}
