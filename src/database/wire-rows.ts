import { addUnparsed, UnparsedJson } from '../lib/unparsed-json.ts';
import { columnParser } from './sql-values.ts';

/**
 * A column of a result: its name, and the parser of its texts. A column `fields.blocks` is JSON: it is no value of the row, but the `member` blocks of
 * the column `fields` before it, and is parsed when it is first read.
 */
export type Column = { name: string; member?: string; parse: (text: string) => unknown };

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
  fields.map(({ name, dataTypeID }) => {
    const parse = columnParser(dataTypeID);
    const [object = '', member] = name.split('.');
    return member === undefined ? { name, parse } : { name: object, member, parse };
  });

/** Rows as objects. Throws RangeError for a number that JavaScript cannot hold. */
export function toRows<R extends object>({ columns, rows }: WireResult): R[] {
  return rows.map((fields) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, member, parse } of columns) {
      const text = fields[index] ?? null;
      if (member !== undefined) addMember(row[name], member, text);
      else row[name] = text === null ? null : parse(text);
      index += 1;
    }
    return row as R;
  });
}

function addMember(object: unknown, member: string, text: string | null): void {
  if (text === null) return;
  if (typeof object !== 'object' || object === null) throw new TypeError(`There is no object for the column ${member}`);
  addUnparsed(object, member, new UnparsedJson(text));
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
