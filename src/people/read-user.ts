import type { FieldProblem } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { emailProblem, homePageProblem, MAX_NAME } from './person-rules.ts';
import { readText } from './read-text.ts';

/** Properties of a user beyond name and address, and how each is read. */
const PROPERTIES = {
  description: { max: 10_000, lines: true },
  home_page: { max: 2000 },
  location: { max: 1000 },
} as const;

/** Names of the properties of a user. */
export const PROPERTY_NAMES = Object.keys(PROPERTIES);

/** What a body says of a user; what it does not say is absent. */
export type UserTexts = { fullname?: string; email?: string; properties: Record<string, string> };

/** Reads name, address and properties of a user; what is not acceptable is added to `problems`. Unknown keys are passed over. */
export function readUserTexts(problems: FieldProblem[], input: JsonObject): UserTexts {
  const texts: UserTexts = { properties: {} };
  const fullname = readText(problems, input, 'fullname', { max: 1000 });
  if (fullname !== undefined) texts.fullname = fullname;
  const email = readText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  for (const [name, rule] of Object.entries(PROPERTIES)) {
    const value = readText(problems, input, name, rule);
    if (value !== undefined) texts.properties[name] = value;
  }
  const problem = homePageProblem(texts.properties.home_page ?? '');
  if (problem) problems.push({ field: 'home_page', message: problem });
  return texts;
}

/** Adds a problem when the e-mail address is missing or is none. An unreadable one has been reported already. */
export function checkEmail(problems: FieldProblem[], email: string | undefined): void {
  if (problems.some(({ field }) => field === 'email')) return;
  const message = emailProblem(email ?? '');
  if (message) problems.push({ field: 'email', message });
}
