import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; a text of several lines may have tabs and line ends
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** How a text is read: at most `max` characters, and whether it may have several lines. */
type TextRule = { max: number; lines?: true };

/**
 * A text of a body without spaces around it; `null` counts as empty. Undefined when it is absent, and when it is not
 * acceptable: then `problems` gets an entry.
 */
export function readText(
  problems: FieldProblem[],
  input: JsonObject,
  field: string,
  { max, lines }: TextRule,
): string | undefined {
  const value = Object.hasOwn(input, field) ? (input[field] ?? '') : undefined;
  if (value === undefined) return undefined;
  const problem = textProblem(value, max, lines ? CONTROL_IN_LINES : CONTROL);
  if (typeof value === 'string' && problem === undefined) return value.trim();
  problems.push({ field, message: problem ?? 'Must be a text.' });
  return undefined;
}

function textProblem(value: unknown, max: number, forbidden: RegExp): string | undefined {
  if (typeof value !== 'string') return 'Must be a text.';
  if (value.length > max) return `Must have at most ${max} characters.`;
  if (forbidden.test(value) || !value.isWellFormed()) return 'Has characters that are not allowed here.';
  return undefined;
}

/** Throws ValidationFailed of Plone's type for people when there are problems (plone.restapi §7 @users). */
export function rejectProblems(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new ValidationFailed(problems, 'WrongParameterError');
}
