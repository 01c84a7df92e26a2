import { type TSchemaOptions, Type } from 'typebox';
import { type Field, FieldError, type FieldKinds, fieldValues, type Kernel, NO_REFERENCES, type Site } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import { emailProblem, homePageProblem } from './person-rules.ts';
import type { UserInput } from './user-body.ts';
import { propertyFields, userType } from './user-type.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but texts with several lines may have tabs and line ends
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The rule for a text: at most `max` characters; with `lines` it may have several lines. */
type TextRule = { max: number; lines?: true };

/** A text of a body that is trimmed; `null` counts as empty. `rule` returns further problems of the trimmed text. `run` gets a text. */
export const PlainText = ({
  max,
  lines,
  rule = () => undefined,
  ...options
}: TSchemaOptions & TextRule & { rule?: (text: string) => string | undefined }) => {
  const problemOf = (value: string | null): string | undefined =>
    textProblem(value ?? '', max, lines ? CONTROL_IN_LINES : CONTROL) ?? rule((value ?? '').trim());
  return Type.Decode(
    Type.Refine(
      Type.Union([Type.String(), Type.Null()], { message: 'Must be a text.', ...options }),
      (value) => problemOf(value) === undefined,
      (value) => problemOf(value) ?? '',
    ),
    (value) => (value ?? '').trim(),
  );
};

function textProblem(value: string, max: number, forbidden: RegExp): string | undefined {
  if (value.length > max) return `Must have at most ${max} characters.`;
  if (forbidden.test(value) || !value.isWellFormed()) return 'Has characters that are not allowed here.';
  return undefined;
}

/** The type of Plone's errors for wrong input of people (plone.restapi §7 @users). */
export const WRONG_PARAMETER = 'WrongParameterError';

/** Throws ValidationFailed of Plone's type for people when there are problems (plone.restapi §7 @users). */
export function rejectProblems(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new ValidationFailed(problems, WRONG_PARAMETER);
}

/** Name, address and properties of a user in a body, parsed; absent keys stay undefined. */
export type UserTexts = { fullname?: string; email?: string; properties: Record<string, unknown> };

/** Maximum length of a property in characters unless its field sets one. */
const MAX_TEXT_LENGTH = 10_000;
/** Maximum number of items of a property unless its field sets one. */
const MAX_ITEMS = 1000;

/**
 * Name, address and properties of a user, the latter parsed by the kinds of their fields in the schema of users. Invalid members are added to
 * `problems`; unknown keys are ignored.
 */
export function parseUserTexts(
  problems: FieldProblem[],
  { kernel, site, input }: { kernel: Kernel; site: Site; input: UserInput },
): UserTexts {
  const { fullname, email } = input;
  const fields = propertyFields(kernel, site).filter(({ name }) => Object.hasOwn(input, name));
  const parsed = fieldValues.parseFields(fields, (field) => parseProperty(kernel.fieldKinds, field, input[field.name]));
  problems.push(...parsed.problems);
  return {
    ...(fullname === undefined ? {} : { fullname }),
    ...(email === undefined ? {} : { email }),
    properties: parsed.values,
  };
}

/** Returns the stored form of one property, null for an empty one. Throws FieldError. */
function parseProperty(kinds: FieldKinds, field: Field, sent: unknown): unknown {
  const empty = sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0);
  const bounded = { ...field, maxLength: field.maxLength ?? MAX_TEXT_LENGTH, maxItems: field.maxItems ?? MAX_ITEMS };
  const kind = kinds.of(field);
  const value = empty ? null : (kind.deserialize(sent, bounded, NO_REFERENCES) ?? null);
  if (value === null && field.required) throw new FieldError('Is required.');
  const problem = field.widget === 'url' && typeof value === 'string' ? homePageProblem(value) : undefined;
  if (problem !== undefined) throw new FieldError(problem);
  return value;
}

/** Adds a problem for each required field, except the e-mail address, that a new user lacks. */
export function checkRequired(
  problems: FieldProblem[],
  { kernel, site, texts: { fullname, properties } }: { kernel: Kernel; site: Site; texts: UserTexts },
): void {
  for (const name of userType(kernel, site).required) {
    const value = name === 'fullname' ? fullname : name === 'email' ? 'checked elsewhere' : properties[name];
    if (!value && !problems.some(({ field }) => field === name))
      problems.push({ field: name, message: 'Is required.' });
  }
}

/** Adds a problem when the e-mail address is missing or invalid, unless the problem has been reported already. */
export function checkEmail(problems: FieldProblem[], email: string | undefined): void {
  if (problems.some(({ field }) => field === 'email')) return;
  const message = emailProblem(email ?? '');
  if (message) problems.push({ field: 'email', message });
}
