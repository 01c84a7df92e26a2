/** The callers, in the order of the columns. Each is a Member with the role of its name; "Owner" owns the pages of the rows. */
export const CALLERS = [
  'Anonymous',
  'Member',
  'Reader',
  'Editor',
  'Contributor',
  'Reviewer',
  'Owner',
  'Site Administrator',
  'Manager',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** The review state of the page at `{path}`, or of the site root where the address has no path. */
export const STATES = ['private', 'published'] as const;
export type State = (typeof STATES)[number];

/**
 * The status for each of CALLERS, in their order: a number, or `ok` for the success status of the row. A `=` after it says that the
 * request succeeds without changing anything. Rejected requests and GET never change anything.
 */
export type Answers = Record<State, string>;

/** A request, and the status for each caller. `<thing>` in any of its texts stands for a thing of `things.ts`. */
export type Row = Answers & {
  /** The operation, as `test/openapi/operations.txt` has it. */
  ask: string;
  /** Values for the parts of its address; `path` is `<page>` unless given. */
  with?: Record<string, string>;
  query?: string;
  json?: unknown;
  headers?: Record<string, string>;
  /** The success status that `ok` stands for: 200 unless given. */
  ok?: string;
  /** Something that the response lists for "Owner" and "Manager", and for nobody else. */
  lists?: string;
  /** A thing that must exist, although the request does not name it. */
  needs?: string;
};

/** The expected response for one caller. `effective` requests change stored data. */
export type Expected = { name: CallerName; status: number; effective: boolean };

/** The expected responses of all callers in a state. Throws when the row does not have one for each caller. */
export function expectedOf(row: Row, state: State): Expected[] {
  const answers = row[state].split(/ +/).map((answer) => answer.replace('ok', row.ok ?? '200'));
  if (answers.length !== CALLERS.length || !answers.every((answer) => /^[2-4]\d\d=?$/.test(answer)))
    throw new Error(`"${row.ask}" needs ${CALLERS.length} answers on ${state} content: ${row[state]}`);
  return CALLERS.map((name, at) => {
    const answer = answers[at] ?? '';
    const status = Number.parseInt(answer, 10);
    return { name, status, effective: status < 400 && !answer.endsWith('=') && !row.ask.startsWith('GET ') };
  });
}
