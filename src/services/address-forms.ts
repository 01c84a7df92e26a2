/**
 * What may follow the name of a service in its address, in OpenAPI's form (`{field}/{scale}`): open parts have braces, all
 * others are taken as they are.
 */

/** The names of the open parts of a form: of `{id}/start` it is `id`. */
type NamesIn<Form extends string> = Form extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Those of the forms that do not have an open part of this name. */
type Without<Form extends string, Name extends string> = Form extends `${string}{${Name}}${string}` ? never : Form;

/** The open parts of an address by their names in the forms. A part that not every form has may be absent. */
export type AddressParams<Form extends string> = {
  [Name in NamesIn<Form> as [Without<Form, Name>] extends [never] ? Name : never]: string;
} & {
  [Name in NamesIn<Form> as [Without<Form, Name>] extends [never] ? never : Name]?: string;
};

/** The parts of a form. */
export const partsOf = (form: string): string[] => (form === '' ? [] : form.split('/'));

const isOpen = (part: string): boolean => part.startsWith('{');

/** A form without the names of its open parts: two services must not have the same. */
export const shapeOf = (parts: readonly string[]): string =>
  parts.map((part) => (isOpen(part) ? '{}' : part)).join('/');

/**
 * How closely forms take the segments of an address, and which one does: `0` stands for each part that a form names, `1`
 * for each that it leaves open, and the smallest text is the closest. Undefined when none takes them.
 */
export function closestForm(
  forms: readonly (readonly string[])[],
  segments: readonly string[],
): { form: readonly string[]; fit: string } | undefined {
  return forms
    .filter((form) => form.length === segments.length && form.every((part, i) => isOpen(part) || part === segments[i]))
    .map((form) => ({ form, fit: form.map((part) => (isOpen(part) ? '1' : '0')).join('') }))
    .sort((a, b) => (a.fit < b.fit ? -1 : 1))[0];
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** The segments behind the name of a service by the names of the open parts of its `rest`. */
export function addressParams(
  rest: readonly string[] | undefined,
  segments: readonly string[],
): Readonly<Record<string, string>> {
  if (!rest || segments.length === 0) return NO_PARAMS;
  const form = closestForm(rest.map(partsOf), segments)?.form ?? [];
  // fromEntries defines keys, assignment would set the prototype for a part named `__proto__`.
  return Object.fromEntries(form.flatMap((part, i) => (isOpen(part) ? [[part.slice(1, -1), segments[i] ?? '']] : [])));
}
