import { type Caller, type Field, type Kernel, passwords, type Queryable, type Site } from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { PartCheck } from '#lib/schema/check-part';
import { fieldProblem } from '#lib/schema/schema-problems';
import { type CsvRow, formatCsv, parseCsv } from '#lib/text/csv';
import { changePeople } from './authority.ts';
import { listProfiles, type Profile, type ProfileFilter } from './statements/accounts.ts';
import { NewUserBody, type NewUserInput } from './user-body.ts';
import { insertUser, type NewUser, parseNewUser, problemsOf } from './user-creation.ts';
import { rejectProblems } from './user-input.ts';
import { propertyFields } from './user-type.ts';

const EXPORT_COLUMNS = ['id', 'username', 'fullname', 'email', 'roles', 'groups'];
/** Users loaded with one statement. */
const EXPORT_BATCH_SIZE = 2000;

const rowOf = ({ id, login, fullname, email, roles, groups }: Profile): string[] => [
  id,
  login,
  fullname,
  email,
  roles.join(', '),
  groups.map((group) => group.id).join(', '),
];

/**
 * Yields the users that match a filter as CSV, part by part (plone.restapi, U03). Cells are escaped so that a spreadsheet does not run them as
 * formulas.
 */
export async function* exportUsers(
  db: Queryable,
  filter: Omit<ProfileFilter, 'limit' | 'offset'>,
): AsyncGenerator<string> {
  yield formatCsv([EXPORT_COLUMNS]);
  for (let offset = 0; ; offset += EXPORT_BATCH_SIZE) {
    const users = await listProfiles(db, { ...filter, limit: EXPORT_BATCH_SIZE, offset });
    if (users.length > 0) yield formatCsv(users.map(rowOf));
    if (users.length < EXPORT_BATCH_SIZE) return;
  }
}

/** Maximum number of users in one file, because hashing a password is slow. */
const MAX_ROWS = 1000;
/** Problems reported in one response. */
const MAX_PROBLEMS = 100;
const IMPORT_COLUMNS = ['id', 'username', 'email', 'fullname', 'roles', 'groups', 'password'];
const COLUMNS_OF_LISTS = ['roles', 'groups'];

/** The check of a row: a row follows the rules for the body of POST. */
const BODY = new PartCheck<NewUserInput>(NewUserBody, { others: 'refused' });

/** A user of the file, with its line number. */
type Row = { line: number; user: NewUser };

const listIn = (cell: string): string[] =>
  cell
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Converts a cell to the type of a field. Texts that do not fit are returned unchanged, and the field's kind rejects them. */
function valueIn(cell: string, { type }: Field): unknown {
  const text = cell.trim();
  if (type === 'array') return listIn(cell);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'integer' || type === 'number')
    return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  return cell;
}

/** A row as a body of POST `@users`. Empty cells are absent, and users without a password get a link to set it. */
function bodyOf({ cells }: CsvRow, fields: Field[]): JsonObject {
  const body: JsonObject = { sendPasswordReset: !cells.password };
  for (const [column, cell] of Object.entries(cells)) {
    const field = fields.find(({ name }) => name === column);
    if (cell === '') continue;
    body[column] = COLUMNS_OF_LISTS.includes(column) ? listIn(cell) : field ? valueIn(cell, field) : cell;
  }
  return body;
}

/** Throws BadRequest for an unknown column: the values of a misspelt column would be lost silently. */
function requireKnownColumns(rows: CsvRow[], fields: Field[]): void {
  const known = new Set([...IMPORT_COLUMNS, ...fields.map(({ name }) => name)]);
  const unknown = Object.keys(rows[0]?.cells ?? {}).find((column) => !known.has(column));
  if (unknown !== undefined)
    throw new BadRequest(`Users have no "${unknown.slice(0, 100)}". Columns: ${[...known].join(', ')}.`);
}

const atLine = (line: number, problems: FieldProblem[]): FieldProblem[] =>
  problems.map(({ message, ...rest }) => ({ ...rest, message: `Line ${line}: ${message}` }));

async function parseRows(kernel: Kernel, site: Site, text: string): Promise<Row[]> {
  const fields = propertyFields(kernel, site);
  const rows = parseCsv(text, { max: MAX_ROWS, verbatim: ['password'] });
  requireKnownColumns(rows, fields);
  if (rows.length === 0) throw new BadRequest('The file has no users.');
  const problems: FieldProblem[] = [];
  const users: Row[] = [];
  for (const row of rows) {
    try {
      const checked = BODY.check(bodyOf(row, fields));
      if (!('value' in checked)) throw new ValidationFailed(checked.problems.map(fieldProblem));
      const user = await parseNewUser(kernel, site, { input: checked.value, registrar: 'manager' });
      users.push({ line: row.line, user });
    } catch (error) {
      problems.push(...atLine(row.line, problemsOf(error)));
    }
  }
  rejectProblems(problems.slice(0, MAX_PROBLEMS));
  return users;
}

/**
 * Creates the users of a CSV file, all of them or none, and returns their ids in the order of the file. `roles` and `groups` are lists separated by
 * commas; a user without a password gets a mail to set it (plone.restapi, U08).
 * @throws ValidationFailed of type WrongParameterError with the line of each problem, BadRequest for a file that is not CSV, Forbidden for roles
 * beyond the caller's rights.
 */
export async function importUsers(
  kernel: Kernel,
  { caller, text }: { caller: Caller; text: string },
): Promise<string[]> {
  const rows = await parseRows(kernel, await kernel.sites.current(), text);
  const ready: (Row & { hash: string | null })[] = [];
  for (const row of rows)
    ready.push({ ...row, hash: row.user.password === undefined ? null : await passwords.hash(row.user.password) });
  await changePeople(kernel, async (change) => {
    const problems: FieldProblem[] = [];
    for (const { line, user, hash } of ready) {
      try {
        await insertUser(kernel, change, caller, { user, hash });
      } catch (error) {
        problems.push(...atLine(line, problemsOf(error)));
      }
    }
    rejectProblems(problems.slice(0, MAX_PROBLEMS));
  });
  return ready.map(({ user }) => user.id);
}
