import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Field } from '../../types/content-type.ts';
import { FieldError } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { NO_REFERENCES } from '../../types/no-references.ts';
import { emailProblem, homePageProblem, MAX_NAME } from './person-rules.ts';
import { propertyFields, userType } from './user-type.ts';

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

/** What a body says of a user; what it does not say is absent. */
export type UserTexts = { fullname?: string; email?: string; properties: Record<string, unknown> };

/** Longest text of a property whose field does not say. */
const MAX_TEXT = 10_000;
const MAX_ITEMS = 1000;

/**
 * Reads name, address and properties of a user: each by the kind of its field in the schema of users. What is not
 * acceptable is added to `problems`. Unknown keys are passed over.
 */
export function parseUserTexts(
  problems: FieldProblem[],
  { site, fieldKinds, input }: { site: Site; fieldKinds: FieldKinds; input: JsonObject },
): UserTexts {
  const texts: UserTexts = { properties: {} };
  const fullname = parseText(problems, input, 'fullname', { max: 1000 });
  if (fullname !== undefined) texts.fullname = fullname;
  const email = parseText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  for (const field of propertyFields(site)) {
    if (!Object.hasOwn(input, field.name)) continue;
    try {
      texts.properties[field.name] = parseProperty(fieldKinds, field, input[field.name]);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push({ field: field.name, message: error.message });
    }
  }
  return texts;
}

/** The stored form of one property; null empties it. Throws FieldError. */
function parseProperty(kinds: FieldKinds, field: Field, sent: unknown): unknown {
  const empty = sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0);
  const bounded = { ...field, maxLength: field.maxLength ?? MAX_TEXT, maxItems: field.maxItems ?? MAX_ITEMS };
  const kind = kinds.of(field);
  const value = empty ? null : (kind.deserialize(sent, bounded, NO_REFERENCES) ?? null);
  if (value === null && field.required) throw new FieldError('Is required.');
  const problem = field.widget === 'url' && typeof value === 'string' ? homePageProblem(value) : undefined;
  if (problem !== undefined) throw new FieldError(problem);
  return value;
}

/** Adds a problem for each required field, besides the e-mail address, that a new user lacks. */
export function checkRequired(problems: FieldProblem[], site: Site, { fullname, properties }: UserTexts): void {
  for (const name of userType(site).required) {
    const value = name === 'fullname' ? fullname : name === 'email' ? 'elsewhere' : properties[name];
    if (!value && !problems.some(({ field }) => field === name))
      problems.push({ field: name, message: 'Is required.' });
  }
}

/** Adds a problem when the e-mail address is missing or is none. An unreadable one has been reported already. */
export function checkEmail(problems: FieldProblem[], email: string | undefined): void {
  if (problems.some(({ field }) => field === 'email')) return;
  const message = emailProblem(email ?? '');
  if (message) problems.push({ field: 'email', message });
}

/** The id in an item of a list: the id itself, or an object that has it. */
const idOf = (item: unknown): unknown => (isJsonObject(item) ? item.id : item);

/**
 * Reads `groups` of a body: a list of ids, or such a list as `items`, as representations have it. Undefined when it
 * is absent or not acceptable: then `problems` gets an entry. The group that everybody is in is passed over.
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
