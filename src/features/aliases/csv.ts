import { type Static, Type } from 'typebox';
import { formatCsv, parseCsvLines } from '#lib/text/csv';
import { parseInstant } from '#lib/time/iso-date';
import type { WantedAlias } from './add.ts';
import { parseAliasPath, parseAliasTarget } from './addresses.ts';
import type { AliasRow } from './statements.ts';

/** The columns of the file as Plone names them; the first two are required. */
const COLUMNS = ['old path', 'new path', 'datetime', 'manual'];

/** Largest number of lines in one file. */
const MAX_LINES = 100_001;

/** An error in one line of an uploaded file. */
export const CsvError = Type.Object({ line_number: Type.Integer(), line: Type.String(), message: Type.String() });
export type CsvError = Static<typeof CsvError>;

/** An alias with the line that it comes from. */
export type CsvAlias = WantedAlias & { line: number; text: string };

/** Zope's form of a date: `2022/01/31 23:59:00 GMT+1`; clock and zone may be missing. */
const ZOPE_DATE =
  /^(\d{4})\/(\d{2})\/(\d{2})(?: (\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?(?: (?:GMT|UTC)(?:([+-])(\d{1,2}))?)?$/;

/** Parses a date in Zope's format or ISO 8601; undefined for anything else. */
function parseDate(text: string): Date | undefined {
  const [, year, month, day, clock = '00:00', sign = '+', hour = '0'] = ZOPE_DATE.exec(text) ?? [];
  if (year === undefined) return parseInstant(text);
  return parseInstant(`${year}-${month}-${day}T${clock}${sign}${hour.padStart(2, '0')}:00`);
}

const FLAGS = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Parses the cells of one line; returns a message for a broken line. */
function parseLine(cells: string[], bases: readonly string[], now: Date): WantedAlias | string {
  const [old = '', to = '', datetime = '', flag = ''] = cells.map((cell) => cell.trim());
  if (cells.length < 2 || cells.length > COLUMNS.length) return 'Each line must have 2 to 4 columns.';
  const path = parseAliasPath(old);
  if ('problem' in path) return path.problem;
  const target = parseAliasTarget(to, bases);
  if ('problem' in target) return target.problem;
  const created = datetime === '' ? now : parseDate(datetime);
  if (!created) return 'The third column must be a date.';
  const manual = FLAGS.get(flag.toLowerCase());
  if (manual === undefined) return 'The fourth column must be True or False.';
  return { ...path, target, created, manual };
}

/** True if the first line of a file is a heading: neither of its texts looks like an address (Plone). */
function isHeading([old = '', to = '']: string[], bases: readonly string[]): boolean {
  const [path, target] = [old.trim(), to.trim()];
  return (
    target !== '' &&
    ![path, target].some((text) => text.startsWith('/')) &&
    'problem' in parseAliasPath(path) &&
    'problem' in parseAliasTarget(target, bases)
  );
}

/**
 * Parses an uploaded file. Columns count by their position, whatever the heading calls them, and the heading may be
 * missing. Throws BadRequest for a file that is not CSV.
 */
export function parseAliasesCsv(
  text: string,
  bases: readonly string[],
  now = new Date(),
): { aliases: CsvAlias[]; errors: CsvError[] } {
  const aliases: CsvAlias[] = [];
  const errors: CsvError[] = [];
  for (const [i, { line, cells }] of parseCsvLines(text, { max: MAX_LINES }).entries()) {
    if (i === 0 && isHeading(cells, bases)) continue;
    const shown = formatCsv([cells]).trimEnd();
    const parsed = parseLine(cells, bases, now);
    if (typeof parsed === 'string') errors.push({ line_number: line, line: shown, message: parsed });
    else aliases.push({ ...parsed, line, text: shown });
  }
  return { aliases, errors };
}

const dateText = (date: Date): string =>
  `${date.toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} GMT+0`;

/** Formats these aliases as a part of the file; the first part begins with the heading. */
export const aliasesCsv = (rows: readonly AliasRow[], first: boolean): string =>
  formatCsv([
    ...(first ? [COLUMNS] : []),
    ...rows.map(({ path, target, created, manual }) => [path, target, dateText(created), manual ? 'True' : 'False']),
  ]);
