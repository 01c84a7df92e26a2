/**
 * The address of a service: its name, and forms of the segments behind it, as in OpenAPI (`{field}/{scale}`): open parts have braces, other parts
 * match literally.
 */

/** Services without an `@`. */
const VIEWS: ReadonlySet<string> = new Set(['ics_view', 'rss_view', 'markdown_view', 'resolveuid', 'RSS']);
/** Files that crawlers and agents ask the site root for. */
const SITE_FILES: ReadonlySet<string> = new Set([
  'robots.txt',
  'sitemap.xml',
  'sitemap.xml.gz',
  'llms.txt',
  '.well-known',
]);

/** Says if a segment of an address names a service; `isFirst` is true for the first segment. */
export const isServiceName = (segment: string, isFirst: boolean): boolean =>
  segment.startsWith('@') || VIEWS.has(segment) || (isFirst && SITE_FILES.has(segment));

/** Says if requests can reach a service of this name. The service of the content itself has an empty name; other names are one segment. */
export const canBeServiceName = (name: string): boolean =>
  name === '' || (isServiceName(name, true) && !name.includes('/'));

/** The names of the open parts of a form: `id` for `{id}/start`. */
type NamesIn<Form extends string> = Form extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The forms without an open part of this name. */
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

/** The fit of a form: `0` for each part that the form names, `1` for each open part. Of two forms for an address, that with the smaller text goes first. */
export const fitOf = (form: readonly string[]): string => form.map((part) => (isOpen(part) ? '1' : '0')).join('');

/** Says if a form fits the segments of an address. */
export const isFitting = (form: readonly string[], segments: readonly string[]): boolean =>
  form.length === segments.length && form.every((part, i) => isOpen(part) || part === segments[i]);

/** Returns the form that fits the segments of an address most closely, with its fit; undefined when no form fits. */
export function closestForm(
  forms: readonly (readonly string[])[],
  segments: readonly string[],
): { form: readonly string[]; fit: string } | undefined {
  return forms
    .filter((form) => isFitting(form, segments))
    .map((form) => ({ form, fit: fitOf(form) }))
    .sort((a, b) => (a.fit < b.fit ? -1 : 1))[0];
}

/** Says if an address may fit both forms. */
export const haveSameAddresses = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, i) => isOpen(part) || isOpen(b[i] ?? '') || part === b[i]);

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** The segments of an address behind the name of its service, each under the name of the open part of `rest` that it fills. */
export function addressParams(
  rest: readonly string[] | undefined,
  segments: readonly string[],
): Readonly<Record<string, string>> {
  if (!rest || segments.length === 0) return NO_PARAMS;
  const form = closestForm(rest.map(partsOf), segments)?.form ?? [];
  // fromEntries defines keys; an assignment would set the prototype for a part named `__proto__`.
  return Object.fromEntries(form.flatMap((part, i) => (isOpen(part) ? [[part.slice(1, -1), segments[i] ?? '']] : [])));
}
