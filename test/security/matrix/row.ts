/** Who asks, in the order of the columns. Each is a Member with the role of its name; "Owner" owns the pages of the rows. */
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

/** The state of what is asked for: of the page at `{path}`, or of the site root where the address has no path. */
export const STATES = ['private', 'published'] as const;
export type State = (typeof STATES)[number];

/**
 * What CALLERS are answered, in their order: a status, or `ok` for the success of the row. `=` behind it says that the
 * request is granted and yet changes nothing. Refusals and GET never change anything.
 */
export type Answers = Record<State, string>;

/** A request, and what each caller is answered. `<thing>` in any of its texts stands for a thing of `things.ts`. */
export type Row = Answers & {
  /** The operation, as `test/openapi/operations.txt` has it. */
  ask: string;
  /** Values for the parts of its address; `path` is `<page>` unless given. */
  with?: Record<string, string>;
  query?: string;
  json?: unknown;
  headers?: Record<string, string>;
  /** What `ok` stands for: 200 unless given. */
  ok?: string;
  /** Something that the answer lists for "Owner" and "Manager", and for nobody else. */
  lists?: string;
  /** Something that must be there without being named in the request. */
  needs?: string;
};

/** The answer that one caller should get. `effective` ones change what is stored. */
export type Expected = { name: CallerName; status: number; effective: boolean };

/** What the row says for each caller in a state. Throws for a row that has not one answer for each. */
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
