import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';

/** Roles of one principal in a request; `true` gives, `false` takes, what is absent stays. */
export type SharingEntry = { id: string; type: 'user' | 'group' | undefined; roles: Map<string, boolean> };

/** Values that a client sends back as it was shown them; they say nothing. */
const SHOWN_ONLY = new Set<unknown>(['global', 'acquired', null]);

/** Reads the body of POST `@sharing`. Throws ValidationFailed with each field that cannot be read. */
export function readSharingBody({ entries = [], inherit }: JsonObject): {
  entries: SharingEntry[];
  inherit: boolean | undefined;
} {
  const problems: FieldProblem[] = [];
  if (inherit !== undefined && typeof inherit !== 'boolean')
    problems.push({ field: 'inherit', message: 'Must be true or false.' });
  if (!Array.isArray(entries))
    throw new ValidationFailed([...problems, { field: 'entries', message: 'Must be a list.' }]);
  const read = entries.flatMap((entry, at) => readEntry(problems, `entries.${at}`, entry) ?? []);
  if (problems.length > 0) throw new ValidationFailed(problems.slice(0, 20));
  return { entries: read, inherit: inherit === true || inherit === false ? inherit : undefined };
}

function readEntry(problems: FieldProblem[], field: string, entry: unknown): SharingEntry | undefined {
  if (!isJsonObject(entry)) {
    problems.push({ field, message: 'Must be an object.' });
    return undefined;
  }
  const { id, type, roles = {} } = entry;
  const before = problems.length;
  if (typeof id !== 'string' || id === '')
    problems.push({ field: `${field}.id`, message: 'Must be the id of a user or a group.' });
  if (type !== undefined && type !== 'user' && type !== 'group')
    problems.push({ field: `${field}.type`, message: 'Must be user or group.' });
  const values = new Map<string, boolean>();
  if (!isJsonObject(roles))
    problems.push({ field: `${field}.roles`, message: 'Must be a map of role to true or false.' });
  else {
    for (const [role, value] of Object.entries(roles)) {
      if (typeof value === 'boolean') values.set(role, value);
      else if (!SHOWN_ONLY.has(value))
        problems.push({
          field: `${field}.roles`,
          message: `The value of "${role.slice(0, 100)}" must be true or false.`,
        });
    }
  }
  if (problems.length > before || typeof id !== 'string') return undefined;
  return { id, type: type === 'user' || type === 'group' ? type : undefined, roles: values };
}
