/** The front matter of a Markdown document: YAML between two lines of dashes. */

/** A value of front matter. */
export type FrontMatterValue =
  | string
  | number
  | boolean
  | readonly FrontMatterValue[]
  | { readonly [name: string]: FrontMatterValue | undefined };

/** Characters that JSON allows, and that YAML allows only as escapes (YAML 1.2, 5.1) or takes for line breaks. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A value on one line. JSON is YAML. */
const inline = (value: FrontMatterValue): string =>
  JSON.stringify(value).replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const isEmpty = (value: FrontMatterValue | undefined): boolean =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every((member) => member === undefined));

/** Says if a value has members of its own, which stand on lines of their own. */
const isGroup = (value: FrontMatterValue): value is { readonly [name: string]: FrontMatterValue | undefined } =>
  typeof value === 'object' && !Array.isArray(value);

/** A member of front matter. Names of the program need no quotes; names of fields may. */
function lines(name: string, value: FrontMatterValue, indent: string): string[] {
  const key = indent + (/^[a-zA-Z][\w-]*$/.test(name) ? name : inline(name));
  if (!isGroup(value) || indent !== '') return [`${key}: ${inline(value)}`];
  return [`${key}:`, ...membersOf(value, '  ')];
}

const membersOf = (members: object, indent: string): string[] =>
  Object.entries(members).flatMap(([name, value]) => (isEmpty(value) ? [] : lines(name, value, indent)));

/** The front matter with these members in their order, without those that are empty, and with a blank line behind it. */
export const frontMatter = (members: Readonly<Record<string, FrontMatterValue | undefined>>): string =>
  ['---', ...membersOf(members, ''), '---', '', ''].join('\n');
