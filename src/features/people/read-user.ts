import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';
import type { Field } from '../../types/content-type.ts';
import { FieldError } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { NO_REFERENCES } from '../../types/no-references.ts';
import { emailProblem, homePageProblem, MAX_NAME } from './person-rules.ts';
import { readText } from './read-text.ts';
import { propertyFields, userType } from './user-type.ts';

/** What a body says of a user; what it does not say is absent. */
export type UserTexts = { fullname?: string; email?: string; properties: Record<string, unknown> };

/** Longest text of a property whose field does not say. */
const MAX_TEXT = 10_000;
const MAX_ITEMS = 1000;

/**
 * Reads name, address and properties of a user: each by the kind of its field in the schema of users. What is not
 * acceptable is added to `problems`. Unknown keys are passed over.
 */
export function readUserTexts(
  problems: FieldProblem[],
  { site, fieldKinds, input }: { site: Site; fieldKinds: FieldKinds; input: JsonObject },
): UserTexts {
  const texts: UserTexts = { properties: {} };
  const fullname = readText(problems, input, 'fullname', { max: 1000 });
  if (fullname !== undefined) texts.fullname = fullname;
  const email = readText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  for (const field of propertyFields(site)) {
    if (!Object.hasOwn(input, field.name)) continue;
    try {
      texts.properties[field.name] = readProperty(fieldKinds, field, input[field.name]);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push({ field: field.name, message: error.message });
    }
  }
  return texts;
}

/** The stored form of one property; null empties it. Throws FieldError. */
function readProperty(kinds: FieldKinds, field: Field, sent: unknown): unknown {
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
