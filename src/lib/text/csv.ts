import type * as csvParse from 'csv-parse/sync';
import type * as csvStringify from 'csv-stringify/sync';
import { BadRequest } from '../errors.ts';
import { lazyPackage } from '../process/lazy-package.ts';

const reader = lazyPackage<typeof csvParse>('csv-parse/sync');
const writer = lazyPackage<typeof csvStringify>('csv-stringify/sync');

/** One row of a CSV file: its last line, counted from 1, and its cells by the names of their columns. */
export type CsvRow = { line: number; cells: Record<string, string> };

/** Longest row in characters. */
const MAX_ROW = 100_000;

/**
 * The beginning of a cell that a spreadsheet computes as a formula (OWASP, CSV Injection), and of a cell that was made harmless before. Such a cell
 * gets a further apostrophe, so that reading returns the original text.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const NEUTRALISED = /^'+[=+\-@\t\r]/;

/** A cell that no spreadsheet computes, because an apostrophe precedes a formula. */
const neutral = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** A cell without the apostrophe that `formatCsv` has put before it. */
const original = (cell: string): string => (NEUTRALISED.test(cell) ? cell.slice(1) : cell);

/** Rows as CSV (RFC 4180); cells that a spreadsheet would compute begin with an apostrophe. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  writer().stringify(
    rows.map((row) => row.map(neutral)),
    { record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  );

function header(names: string[]): string[] {
  const columns = names.map((name) => name.trim());
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw new BadRequest(`The file has the column "${twice.slice(0, 100)}" twice.`);
  return columns;
}

/** One line of a CSV file that names no columns: its number, counted from 1, and its cells. */
export type CsvLine = { line: number; cells: string[] };

type Options = { columns: typeof header } | { columns: false; relax_column_count: true };

/** The records of a file (RFC 4180, with or without a byte order mark) without its empty lines. Throws BadRequest as `parseCsv` does. */
function parseRecords<R>(text: string, max: number, options: Options): { info: { lines: number }; record: R }[] {
  const { CsvError, parse } = reader();
  try {
    const records: unknown = parse(text, {
      ...options,
      bom: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: max + 1,
    });
    const rows = Array.isArray(records) ? records : [];
    if (rows.length > max) throw new BadRequest(`The file has more than ${max} rows.`);
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw new BadRequest(`The file is no CSV: ${error.message.slice(0, 200)}`);
    throw error;
  }
}

/**
 * Parses a CSV file whose first line names the columns; empty lines are ignored. Removes the apostrophes that `formatCsv` puts before formulas,
 * except in the columns `verbatim`. Throws BadRequest with the line for a text that is not CSV, and when there are more than `max` rows.
 */
export const parseCsv = (
  text: string,
  { max, verbatim = [] }: { max: number; verbatim?: readonly string[] },
): CsvRow[] =>
  parseRecords<Record<string, string>>(text, max, { columns: header }).map((record) => rowOf(record, verbatim));

/** Parses a CSV file line by line, with any number of cells in each. Removes the apostrophes of `formatCsv`. Throws as `parseCsv` does. */
export const parseCsvLines = (text: string, { max }: { max: number }): CsvLine[] =>
  parseRecords<string[]>(text, max, { columns: false, relax_column_count: true }).map(({ info, record }) => ({
    line: info.lines,
    cells: record.map(original),
  }));

function rowOf(
  { info, record }: { info: { lines: number }; record: Record<string, string> },
  verbatim: readonly string[],
): CsvRow {
  const cells = Object.entries(record).map(([name, cell]) => [name, verbatim.includes(name) ? cell : original(cell)]);
  return { line: info.lines, cells: Object.fromEntries(cells) };
}
