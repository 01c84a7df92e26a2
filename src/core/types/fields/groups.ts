import { Type } from 'typebox';
import type { FieldProblem } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { Nullable } from '../../../lib/schema/shapes.ts';
import type { SanitizeHtml } from '../../../lib/text/sanitize-html.ts';
import { type Field, groupFields } from '../content-type.ts';
import { attempt, defaultOf, into, parseFields, parseSent } from '../field-input.ts';
import {
  FieldError,
  type FieldKind,
  NestedFieldError,
  type ReadContext,
  type TextRewriter,
  type WriteContext,
} from '../field-kind.ts';
import type { FieldKinds } from '../field-kinds.ts';
import type { ValueShape } from '../value-shapes.ts';

/** Rows in one value. */
const MAX_ROWS = 1000;
/** Maximum number of problems that an error lists for one value. */
const MAX_PROBLEMS = 100;
/** Maximum number of characters of the key that forms give a row. */
const MAX_KEY_LENGTH = 200;
/** The key by which forms identify a row while it is moved. */
const KEY = '@id';

/** Returns a stored row; an empty one for any other value. */
const rowOf = (stored: unknown): JsonObject => (isJsonObject(stored) ? stored : {});

const rowsOf = (stored: unknown): JsonObject[] => (Array.isArray(stored) ? stored.filter(isJsonObject) : []);

const memberOf = (row: JsonObject, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined);

/** The present values of a row, each with its field. */
function* members(stored: unknown, field: Field): Iterable<{ member: Field; value: unknown }> {
  const row = rowOf(stored);
  for (const member of groupFields(field)) {
    const value = memberOf(row, member.name);
    if (value !== undefined && value !== null) yield { member, value };
  }
}

/** Operations on one row, and on all rows of a list. */
type RowWork = {
  links(value: unknown, field: Field, sanitize: SanitizeHtml): Iterable<string>;
  html(value: unknown, field: Field): Iterable<string>;
  uids(stored: unknown, field: Field): Iterable<string>;
  references(stored: unknown, field: Field): Iterable<string>;
  serialize(stored: unknown, field: Field, context: ReadContext): JsonObject;
  exported(served: unknown, field: Field): JsonObject;
  words(stored: unknown, field: Field, fields: Readonly<Record<string, unknown>>): string;
  rewrite(stored: unknown, field: Field, rewriter: TextRewriter): unknown;
  deserialize(value: unknown, field: Field, context: WriteContext): JsonObject;
};

function rowWork(kinds: () => FieldKinds): RowWork {
  const kindOf = (field: Field): FieldKind => kinds().of(field);

  /** The stored form of one member; a member that is not sent has its default. Throws FieldError. */
  function parseMember(sent: unknown, member: Field, context: WriteContext): unknown {
    const kind = kindOf(member);
    if (kind.holds)
      throw new FieldError('Files cannot be inside of a group of fields: add them as content and relate to them.');
    return parseSent(kind, member, sent, { ...context, absent: () => defaultOf(kind, member) });
  }

  function parseKey(key: unknown): string {
    if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || key.includes('\u0000') || !key.isWellFormed())
      throw new FieldError(`Must be a text of up to ${MAX_KEY_LENGTH} characters.`);
    return key;
  }

  function deserialize(value: unknown, field: Field, context: WriteContext): JsonObject {
    if (!isJsonObject(value)) throw new FieldError('Must be an object with the fields of the group.');
    const problems: FieldProblem[] = [];
    const row: JsonObject = {};
    const fields = groupFields(field);
    const known = new Set(fields.map(({ name }) => name));
    const unknown = Object.keys(value).filter((name) => name !== KEY && !known.has(name));
    for (const name of unknown.slice(0, MAX_PROBLEMS))
      problems.push({ field: name.slice(0, 100), message: 'Is no field of this group.' });
    if (Object.hasOwn(value, KEY)) row[KEY] = attempt(KEY, () => parseKey(value[KEY]), into(problems));
    const current = rowOf(context.current);
    const parsed = parseFields(fields, (member) =>
      parseMember(memberOf(value, member.name), member, { ...context, current: memberOf(current, member.name) }),
    );
    problems.push(...parsed.problems);
    if (problems.length > 0) throw new NestedFieldError(problems.slice(0, MAX_PROBLEMS));
    return { ...row, ...parsed.values };
  }

  function* eachOf(
    stored: unknown,
    field: Field,
    of: (kind: FieldKind, value: unknown, member: Field) => Iterable<string> | undefined,
  ): Iterable<string> {
    for (const { member, value } of members(stored, field)) yield* of(kindOf(member), value, member) ?? [];
  }

  return {
    deserialize,
    links: (value, field, sanitize) => eachOf(value, field, (kind, one, member) => kind.links?.(one, member, sanitize)),
    html: (value, field) => eachOf(value, field, (kind, one, member) => kind.html?.(one, member)),
    uids: (stored, field) => eachOf(stored, field, (kind, one, member) => kind.uids?.(one, member)),
    references: (stored, field) =>
      eachOf(stored, field, (kind, one, member) => (kind.references ?? kind.uids)?.(one, member)),
    serialize(stored, field, context) {
      const row = rowOf(stored);
      const served: JsonObject = typeof row[KEY] === 'string' ? { [KEY]: row[KEY] } : {};
      for (const member of groupFields(field)) {
        const kind = kindOf(member);
        const value = memberOf(row, member.name) ?? kind.missing ?? null;
        served[member.name] =
          value === null || kind.serialize === undefined ? value : kind.serialize(value, member, context);
      }
      return served;
    },
    exported(served, field) {
      const row = { ...rowOf(served) };
      for (const { member, value } of members(served, field)) {
        const { exported } = kindOf(member);
        if (exported) row[member.name] = exported(value, member);
      }
      return row;
    },
    words: (stored, field, fields) =>
      [...members(stored, field)]
        .map(({ member, value }) => kindOf(member).words?.(value, member, fields) ?? '')
        .filter((text) => text !== '')
        .join(' '),
    rewrite(stored, field, rewriter) {
      if (!isJsonObject(stored)) return stored;
      const row = { ...stored };
      for (const { member, value } of members(stored, field)) {
        const { rewrite } = kindOf(member);
        if (rewrite) row[member.name] = rewrite(value, member, rewriter);
      }
      return row;
    },
  };
}

/** The row that a sent row replaces: the row with its key, else the row at its place. */
function currentRow(rows: readonly JsonObject[], sent: unknown, at: number): JsonObject | undefined {
  const key = isJsonObject(sent) ? sent[KEY] : undefined;
  return key === undefined ? rows[at] : rows.find((row) => row[KEY] === key);
}

/** The rows of a list in their stored form. Throws FieldError, with the place of each problem. */
function parseRows(work: RowWork, value: unknown, field: Field, context: WriteContext): JsonObject[] {
  if (!Array.isArray(value)) throw new FieldError('Must be a list of objects with the fields of the group.');
  const { maxItems = MAX_ROWS, minItems = 0 } = field;
  const most = Math.min(maxItems, MAX_ROWS);
  if (value.length > most) throw new FieldError(`Has more than ${most} items.`);
  if (value.length < minItems && (value.length > 0 || field.required))
    throw new FieldError(`Has less than ${minItems} items.`);
  const present = rowsOf(context.current);
  const problems: FieldProblem[] = [];
  const rows: JsonObject[] = [];
  for (const [at, sent] of value.entries()) {
    const parse = () => work.deserialize(sent, field, { ...context, current: currentRow(present, sent, at) });
    const row = attempt(String(at), parse, into(problems));
    if (row) rows.push(row);
  }
  if (problems.length > 0) throw new NestedFieldError(problems.slice(0, MAX_PROBLEMS));
  return rows;
}

/**
 * The kinds of fields that have fields inside (`schema`): one group of fields, and a list of groups. Volto shows them by its widgets `object` and
 * `object_list`. A value is written as a whole. Schema editors do not offer these kinds, because they cannot edit the fields inside. `kinds` has the
 * kinds of the fields inside.
 */
export function groupFieldKinds(kinds: () => FieldKinds): readonly FieldKind[] {
  const work = rowWork(kinds);
  const inAll =
    <T>(of: (stored: unknown, field: Field) => Iterable<T>) =>
    (stored: unknown, field: Field): Iterable<T> =>
      rowsOf(stored).flatMap((row) => [...of(row, field)]);
  /** The shape of one row, from the shapes of the fields inside. */
  function rowShape(field: Field): ValueShape {
    const direction = (name: keyof ValueShape, members: readonly Field[]) =>
      Type.Object(
        Object.fromEntries(
          members.map((member) => [
            member.name,
            Type.Optional(Nullable(kinds().of(member).shape?.(member)[name] ?? Type.Unknown())),
          ]),
        ),
      );
    const members = groupFields(field);
    return {
      read: direction(
        'read',
        members.filter(({ writeOnly }) => !writeOnly),
      ),
      write: direction('write', members),
    };
  }

  const group: FieldKind = {
    shape: rowShape,
    factories: [
      {
        name: 'Object',
        property: { type: 'object', widget: 'object' },
      },
    ],
    groups: 'one',
    indexes: ['text'],
    missing: null,
    ...work,
  };
  const list: FieldKind = {
    shape(field) {
      const { read, write } = rowShape(field);
      return { read: Type.Array(read), write: Type.Array(write) };
    },
    factories: [
      {
        name: 'Object List',
        aliases: ['DataGrid', 'DictRow'],
        property: { type: 'array', widget: 'object_list' },
      },
    ],
    groups: 'many',
    limits: 'items',
    indexes: ['text'],
    missing: [],
    deserialize: (value, field, context) => parseRows(work, value, field, context),
    links: (value, field, sanitize) => inAll((row, inner) => work.links(row, inner, sanitize))(value, field),
    html: inAll(work.html),
    uids: inAll(work.uids),
    references: inAll(work.references),
    serialize: (stored, field, context) => rowsOf(stored).map((row) => work.serialize(row, field, context)),
    exported: (served, field) => rowsOf(served).map((row) => work.exported(row, field)),
    words: (stored, field, fields) =>
      rowsOf(stored)
        .map((row) => work.words(row, field, fields))
        .filter((text) => text !== '')
        .join(' '),
    rewrite: (stored, field, rewriter) =>
      Array.isArray(stored) ? stored.map((row) => work.rewrite(row, field, rewriter)) : stored,
  };
  return [group, list];
}
