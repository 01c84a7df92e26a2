import { type TSchemaOptions, Type } from 'typebox';
import type { Kernel } from '../../kernel/kernel.ts';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Field } from '../../types/content-type.ts';
import { FieldError, NO_REFERENCES } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { emailProblem, homePageProblem, MAX_NAME } from './person-rules.ts';
import { propertyFields, userType } from './user-type.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but texts with several lines may have tabs and line ends
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The rule for a text: at most `max` characters; with `lines` it may have several lines. */
type TextRule = { max: number; lines?: true };

/**
 * Parses a text of a body and trims it; `null` counts as empty. Returns undefined when it is absent; invalid input is
 * added to `problems`.
 */
export function parseText(
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

/**
 * A text of a body that is trimmed; `null` counts as empty. `rule` says what else is wrong with the trimmed text. `run`
 * gets a text.
 */
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

function textProblem(value: unknown, max: number, forbidden: RegExp): string | undefined {
  if (typeof value !== 'string') return 'Must be a text.';
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
 * Parses name, address and properties of a user, each by the kind of its field in the schema of users. Invalid input is
 * added to `problems`; unknown keys are ignored.
 */
export function parseUserTexts(
  problems: FieldProblem[],
  { kernel, site, input }: { kernel: Kernel; site: Site; input: JsonObject },
): UserTexts {
  const texts: UserTexts = { properties: {} };
  const fullname = parseText(problems, input, 'fullname', { max: 1000 });
  if (fullname !== undefined) texts.fullname = fullname;
  const email = parseText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  for (const field of propertyFields(kernel, site)) {
    if (!Object.hasOwn(input, field.name)) continue;
    try {
      texts.properties[field.name] = parseProperty(kernel.fieldKinds, field, input[field.name]);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push({ field: field.name, message: error.message });
    }
  }
  return texts;
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

/** Adds a problem when the e-mail address is missing or invalid, unless one has been reported already. */
export function checkEmail(problems: FieldProblem[], email: string | undefined): void {
  if (problems.some(({ field }) => field === 'email')) return;
  const message = emailProblem(email ?? '');
  if (message) problems.push({ field: 'email', message });
}

/** The id in an item of a list: the item itself, or the `id` of an object. */
const idOf = (item: unknown): unknown => (isJsonObject(item) ? item.id : item);

/**
 * Parses `groups` of a body: a list of ids, or an object with such a list as `items`, as in representations. Returns
 * undefined when it is absent; invalid input is added to `problems`. The group of all users is ignored.
 */
export function parseGroups(problems: FieldProblem[], value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: unknown = isJsonObject(value) ? (value.items ?? []) : value;
  const ids = Array.isArray(items) ? items.map(idOf) : [undefined];
  const texts = ids.filter((id) => typeof id === 'string');
  if (texts.length === ids.length) return [...new Set(texts)].filter((id) => id !== AUTHENTICATED_USERS);
  problems.push({ field: 'groups', message: 'Must be a list of ids of groups.' });
  return undefined;
}
