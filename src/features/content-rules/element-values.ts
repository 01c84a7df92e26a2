import { type contentRules, fieldValues, type Kernel, type Queryable, references, type Site } from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { sanitizeHtml } from '#lib/text/sanitize-html';
import type { StoredElement } from './statements/rules.ts';

/** A kind of conditions or of actions. */
export type ElementKind = contentRules.Condition | contentRules.Action;
/** The kinds of one sort, by name. */
export type ElementKinds = ReadonlyMap<string, ElementKind>;

/** Maximum size of values as JSON: matching rules are loaded with every write. */
const MAX_VALUES_BYTES = 16 * 1024;

/** Members of a body that are no values: the type, and members that forms send back. */
const isControl = (name: string): boolean => name === 'type' || name.startsWith('form.button.') || name.startsWith('@');

const TALES = /tales/i;

/** Finds a kind by its name or an alias; undefined for an unknown name. */
export const findKind = (kinds: ElementKinds, name: string): ElementKind | undefined =>
  kinds.get(name) ?? [...kinds.values()].find(({ aliases }) => aliases?.includes(name));

/** The stored value of a member that a client leaves out. */
export function defaultOf({ fieldKinds }: Pick<Kernel, 'fieldKinds'>, { schema }: ElementKind, name: string): unknown {
  const property = schema.properties[name];
  return property === undefined ? undefined : (property.default ?? fieldKinds.of({ ...property }).missing ?? null);
}

/** Returns a kind by its name or an alias. Throws BadRequest for an unknown name. */
export function requireKind(kinds: ElementKinds, name: unknown): ElementKind {
  if (typeof name !== 'string' || name === '')
    throw new BadRequest(`The property "type" is required: one of ${[...kinds.keys()].join(', ')}.`);
  if (TALES.test(name))
    throw new BadRequest('TALES expressions are not supported: use the condition "compare_field" instead.');
  const kind = findKind(kinds, name);
  if (!kind)
    throw new BadRequest(`There is no type "${name.slice(0, 100)}". Known types: ${[...kinds.keys()].join(', ')}.`);
  return kind;
}

/** The context of parsing values: the site, its users and groups in the database, and the addresses that internal links begin with. */
type ValueSource = { kernel: Kernel; site: Site; db: Queryable; bases: readonly string[] };

/** Returns a path of content that may be created later, or the UID of missing content; undefined for anything else. */
function danglingReference(reference: string): string | undefined {
  const isPath = /^\/[^\s?#]{0,1000}$/.test(reference);
  return isPath || /^[\w-]{20,64}$/.test(reference) ? reference : undefined;
}

/**
 * Parses the values of an element from a client for storage: `current`, overwritten by `input`. Relations are stored as UIDs, or as paths where no
 * content exists. Throws ValidationFailed with each value that does not fit the kind.
 */
export async function parseElementValues(
  { kernel, site, db, bases }: ValueSource,
  kind: ElementKind,
  { input, current = {} }: { input: JsonObject; current?: JsonObject },
): Promise<JsonObject> {
  const { properties, required } = kind.schema;
  const kinds = kernel.fieldKinds;
  const unknown: FieldProblem[] = [];
  const fields = Object.entries(properties).map(([name, property]) => ({
    ...property,
    name,
    required: required.includes(name),
  }));
  for (const name of Object.keys(input))
    if (!isControl(name) && !Object.hasOwn(properties, name) && !kind.ignored?.includes(name))
      unknown.push({ field: name.slice(0, 100), message: `Is no value of "${kind.name}".` });
  const links = fields.flatMap((field) => [
    ...(kinds.of(field).links?.(input[field.name] ?? '', field, sanitizeHtml) ?? []),
  ]);
  const resolver = await references.resolver(db, links, bases);
  const context = {
    resolveLink: resolver.resolveLink,
    resolveUid: (reference: string) =>
      resolver.resolveUid(reference) ?? danglingReference(withoutBase(reference, bases)),
  };
  const { values, problems: unfit } = fieldValues.parseFields(fields, (field) => {
    const present = current[field.name];
    const absent = () => present ?? defaultOf(kernel, kind, field.name);
    return fieldValues.parseSent(kinds.of(field), field, input[field.name], { ...context, current: present, absent });
  });
  const problems = [...unknown, ...unfit];
  if (problems.length === 0) problems.push(...(kind.check?.(values, site) ?? []));
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_VALUES_BYTES)
    problems.push({ message: `The values must have at most ${MAX_VALUES_BYTES} bytes.` });
  if (problems.length > 0) throw new ValidationFailed(problems);
  return values;
}

/** An address of the site as a path. */
function withoutBase(reference: string, bases: readonly string[]): string {
  const base = bases.find((one) => reference.startsWith(`${one}/`));
  return base === undefined ? reference : reference.slice(base.length);
}

/** The names of the values that refer to content. */
const relationsOf = ({ fieldKinds }: Pick<Kernel, 'fieldKinds'>, { schema }: ElementKind): string[] =>
  Object.entries(schema.properties).flatMap(([name, property]) =>
    fieldKinds.of({ ...property }).relates === 'one' ? [name] : [],
  );

/** Content that values of elements name: its UID and its present path. */
export type Targets = ReadonlyMap<string, { uid: string; path: string }>;

/** Returns the paths of the content that elements name, with one lookup. */
export async function targetsOf(
  kernel: Pick<Kernel, 'fieldKinds'>,
  db: Queryable,
  elements: readonly { kind: ElementKind | undefined; element: StoredElement }[],
): Promise<Targets> {
  const uids = elements.flatMap(({ kind, element }) =>
    kind ? relationsOf(kernel, kind).map((name) => element.values[name]) : [],
  );
  const wanted = uids.filter((uid) => typeof uid === 'string' && !uid.startsWith('/')).map(String);
  if (wanted.length === 0) return new Map();
  const paths = await references.pathsOfUids(db, wanted);
  return new Map([...paths].map(([uid, path]) => [uid, { uid, path }]));
}

/** The values, in which `show` has replaced the content that they name. */
export function withTargets(
  kernel: Pick<Kernel, 'fieldKinds'>,
  kind: ElementKind,
  values: JsonObject,
  show: (stored: unknown) => unknown,
): JsonObject {
  const relations = relationsOf(kernel, kind);
  const shown = Object.fromEntries(relations.map((name) => [name, show(values[name])]));
  return isJsonObject(values) ? { ...values, ...shown } : shown;
}
