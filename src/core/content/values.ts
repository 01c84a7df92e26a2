import { isDeepStrictEqual } from 'node:util';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { patternBudget } from '../../lib/text/safe-pattern.ts';
import { type SanitizeHtml, sanitizeHtml } from '../../lib/text/sanitize-html.ts';
import { validateRecurrence } from '../../lib/time/recurrence.ts';
import { siteScales } from '../configuration/panels/content.ts';
import { siteTimeZone } from '../configuration/panels/general.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ContentObject } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Property, TypeDefinition } from '../types/definition.ts';
import { attempt, defaultOf, into, NOT_VALUES, parseFields, parseSent } from '../types/field-input.ts';
import { FieldError, NO_REFERENCES, PreparedFile } from '../types/field-kind.ts';
import type { FieldKinds, KindField } from '../types/field-kinds.ts';
import type { ReferenceResolver } from './references.ts';

/** Fields of schemas that are columns of `content`, so that lists can filter and sort by them. */
type ColumnValues = { effective?: Date | null; expires?: Date | null; language?: string | null };

const toDate = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** Splits stored values into columns and the rest, which is stored as `fields`. */
export function splitColumns(values: Record<string, unknown>): {
  columns: ColumnValues;
  fields: Record<string, unknown>;
} {
  const { effective, expires, language, ...fields } = values;
  const columns: ColumnValues = {};
  if (effective !== undefined) columns.effective = toDate(effective);
  if (expires !== undefined) columns.expires = toDate(expires);
  if (language !== undefined) columns.language = typeof language === 'string' && language !== '' ? language : null;
  return { columns, fields };
}

/** All stored values of an object, columns included, in the form of the field kinds. */
export function joinColumns(object: ContentObject): Record<string, unknown> {
  return {
    ...object.fields,
    effective: object.effective?.toISOString() ?? null,
    expires: object.expires?.toISOString() ?? null,
    language: object.language,
  };
}

/** One stored value of an object, in the form of `joinColumns`. */
export function storedValue(object: ContentObject, name: string): unknown {
  if (name === 'effective' || name === 'expires') return object[name]?.toISOString() ?? null;
  return name === 'language' ? object.language : object.fields[name];
}

/** Checks values that depend on each other; they are stored values, dates in ISO form. */
type Invariant = (values: Record<string, unknown>) => FieldProblem | undefined;

const instant = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);

/** Behaviors with the publication dates, by the names that sites give them. */
const WITH_DATES = ['dates', 'plone.publication', 'dublin_core', 'plone.dublincore'];

// plone.app.dexterity: EffectiveAfterExpires
const expiresAfterEffective: Invariant = ({ effective, expires }) =>
  instant(expires) < instant(effective)
    ? { field: 'expires', message: 'The expiry date must not be before the publishing date.' }
    : undefined;

/** Invariants by the id of the behavior whose fields they bind. */
const INVARIANTS: ReadonlyMap<string, Invariant> = new Map<string, Invariant>(
  Object.entries<Invariant>({
    // plone.event: StartBeforeEnd
    'plone.eventbasic': ({ start, end, open_end }) =>
      open_end !== true && instant(end) < instant(start)
        ? { field: 'end', message: 'The event must not end before it starts.' }
        : undefined,
    'plone.eventrecurrence': ({ recurrence }) => {
      const problem = typeof recurrence === 'string' && recurrence !== '' ? validateRecurrence(recurrence) : undefined;
      return problem === undefined ? undefined : { field: 'recurrence', message: problem };
    },
    ...Object.fromEntries(WITH_DATES.map((behavior) => [behavior, expiresAfterEffective])),
  }),
);

/**
 * Problems of values that contradict each other. A behavior's invariant is checked when one of its fields is among `changed`, so that an unrelated
 * edit of old content is never rejected.
 */
export function checkInvariants(
  type: ContentType,
  values: Record<string, unknown>,
  changed: ReadonlySet<string>,
): FieldProblem[] {
  const touched = new Set(type.fields.filter(({ name }) => changed.has(name)).map(({ behavior }) => behavior));
  return [...touched].flatMap((behavior) => INVARIANTS.get(behavior ?? '')?.(values) ?? []);
}

/** Links in all fields of a request, to be resolved at once. */
export function* linksIn(
  kinds: FieldKinds,
  type: ContentType,
  input: Record<string, unknown>,
  sanitize: SanitizeHtml = sanitizeHtml,
): Iterable<string> {
  for (const { field, kind, value } of sentValues(kinds, type, input))
    yield* kind.links?.(value, field, sanitize) ?? [];
}

/** The values of a request that fields may take, files left out. */
export function* sentValues(
  kinds: FieldKinds,
  type: ContentType,
  input: Record<string, unknown>,
): Iterable<Pick<KindField, 'field' | 'kind'> & { value: unknown }> {
  for (const { name, field, kind, isWritable } of kinds.fieldsOf(type)) {
    const value = input[name];
    if (value === undefined || value === null || value instanceof PreparedFile || !isWritable) continue;
    yield { field, kind, value };
  }
}

export type ReadOptions = {
  type: ContentType;
  /** Values that the client sent, files prepared. */
  input: Record<string, unknown>;
  /** The present stored values; undefined at creation, when defaults are filled in and required fields must have values. */
  current: Record<string, unknown> | undefined;
  resolver: ReferenceResolver;
  /** The site: its scales are those of crops, and its time zone is that of times without an offset. */
  site: Site;
  /** The time zone that the writer has chosen instead of the time zone of the site. */
  timeZone?: string | undefined;
  /** Says if the caller has the permission that a field needs. */
  mayWrite: (permission: string) => boolean;
  /** Cleans HTML, see `prepareHtml`. */
  sanitize?: SanitizeHtml | undefined;
};

/**
 * The stored values of the fields that a request names (and of all fields, at creation). Unknown fields and fields that the caller may not write are
 * ignored. Throws ValidationFailed with all problems.
 */
export function parseValues(
  kinds: FieldKinds,
  { type, input, current, resolver, site, timeZone, mayWrite, sanitize = sanitizeHtml }: ReadOptions,
): Record<string, unknown> {
  const { resolveLink, resolveUid } = resolver;
  const scales = siteScales(site);
  const zone = siteTimeZone(site, timeZone);
  const patterns = patternBudget();
  const { values, problems } = parseFields(kinds.fieldsOf(type), ({ name, field, kind, isWritable }) => {
    if (NOT_VALUES.has(name)) return undefined;
    const given = isWritable ? input[name] : undefined;
    const isRefused = given !== undefined && field.write_permission !== undefined && !mayWrite(field.write_permission);
    const sent = isRefused ? undefined : given;
    if (sent === undefined && current !== undefined) return undefined;
    if (sent === null && field.required)
      throw new FieldError(`${name} is a required field. Setting it to null is not allowed.`);
    const absent = () => (field.writeOnly ? undefined : defaultOf(kind, field));
    return parseSent(kind, field, sent, {
      resolveLink,
      resolveUid,
      scales,
      timeZone: zone,
      patterns,
      sanitize,
      current: current?.[name],
      absent,
    });
  });
  if (problems.length === 0)
    problems.push(...checkInvariants(type, { ...current, ...values }, new Set(Object.keys(values))));
  if (problems.length > 0) throw new ValidationFailed(problems);
  return values;
}

/**
 * Throws ValidationFailed when a new default is no term of the vocabulary of its field. The terms are known only after the site is built with the
 * type.
 */
export function requireTermDefaults(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  { before = {}, next, built }: { before?: Record<string, Property> | undefined; next: TypeDefinition; built: Site },
): void {
  const problems: FieldProblem[] = [];
  for (const [name, property] of Object.entries(next.properties ?? {})) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    const field = built.types.get(next.id)?.fieldByName.get(name);
    if (property.default === undefined || !field?.terms || isDeepStrictEqual(known, property)) continue;
    const parse = () => fieldKinds.of(field).deserialize(property.default, field, NO_REFERENCES);
    attempt(`${name}.default`, parse, into(problems));
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
}
