import { type TSchema, Type } from 'typebox';
import type { JsonObject } from '../../../lib/json-object.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { COMPONENTS, type Component } from '../../serializer/components.ts';
import { OBJECT } from '../../serializer/content-shapes.ts';
import type { ContentType, Field } from '../../types/content-type.ts';
import { FieldError, type FieldKind, NO_REFERENCES } from '../../types/field-kind.ts';
import { Summary } from '../../types/value-shapes.ts';
import { CreateBody, UpdateBody } from '../content/content-schemas.ts';
import { Address, Nullable } from '../schemas.ts';
import { type NamedSchemas, publishSchema } from './schemas.ts';

/** The name of a content type in names of components: letters and digits. If two types have the same name, the second one gets a number. */
function componentNames(types: Iterable<ContentType>): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id } of types) {
    const plain = id.replace(/[^A-Za-z0-9]+/g, '') || 'Type';
    let name = plain;
    for (let i = 2; taken.has(name); i += 1) name = `${plain}${i}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

const OPEN = { read: Type.Unknown(), write: Type.Unknown() };

/** Texts about a field for programmers, in the language that the site is set up in. */
const notesOf = ({ title, description }: Field): { description?: string } => {
  const text = [title, description].filter((part) => part !== undefined && part !== '').join(': ');
  return text === '' ? {} : { description: text };
};

const isOpen = (schema: TSchema): boolean => Type.IsUnknown(schema);

/** A value, or null where the field may be empty. */
const orNull = (schema: TSchema, mayBeNull: boolean, field: Field): TSchema =>
  mayBeNull && !isOpen(schema) ? Nullable(schema, notesOf(field)) : { ...schema, ...annotated(schema, field) };

/** Adds notes to a schema without a name. A schema with a name is a reference, beside which notes would have another meaning. */
const annotated = (schema: TSchema, field: Field): { description?: string } => ('$id' in schema ? {} : notesOf(field));

/** Members of content that the server makes; they replace fields of the same name. */
const MADE = new Set([
  '@id',
  '@type',
  'parent',
  'items',
  'items_total',
  'batching',
  '@components',
  ...Object.keys(OBJECT),
]);

/** Says if the caller has a permission at the root of the site, for fields that need their own permission. */
export type MayUse = (permission: string) => boolean;

type Shapes = { kernel: Kernel; components: readonly Component[]; mayUse: MayUse };

/** A type as GET returns it to the caller. */
function readSchema({ kernel, mayUse }: Shapes, type: ContentType): TSchema {
  const fields = type.fields.filter(
    ({ name, writeOnly, read_permission: permission }) =>
      !writeOnly && !MADE.has(name) && (permission === undefined || mayUse(permission)),
  );
  const members = fields.map((field) => {
    const kind = kernel.fieldKinds.of(field);
    const { read } = kind.shape?.(field) ?? OPEN;
    const isText = field.name === 'description';
    const schema = orNull(read, !isText && (kind.missing ?? null) === null, field);
    // The caller may lack the permission of the field on some of the content.
    return [field.name, field.read_permission === undefined ? schema : Type.Optional(schema)] as const;
  });
  return Type.Object({
    ...OBJECT,
    '@type': Type.Literal(type.id),
    ...Object.fromEntries(members),
    parent: Type.Optional(Type.Union([Summary, Type.Object({}, { additionalProperties: false })])),
    ...(type.folderish
      ? { items: Type.Optional(Type.Array(Summary)), items_total: Type.Optional(Type.Integer()) }
      : {}),
    '@components': Type.Unsafe({ $ref: '#/components/schemas/Expansions' }),
  });
}

type WrittenField = { field: Field; kind: FieldKind; schema: TSchema; isRequired: boolean };

/** The fields of a type as the caller may send them. */
function writtenFields({ kernel, mayUse }: Shapes, type: ContentType): WrittenField[] {
  const fields = type.fields.filter(
    ({ name, readonly, mode, write_permission: permission }) =>
      !MADE.has(name) &&
      !readonly &&
      (mode === undefined || mode === 'input') &&
      (permission === undefined || mayUse(permission)),
  );
  return fields.map((field) => {
    const kind = kernel.fieldKinds.of(field);
    const { write } = kind.shape?.(field) ?? OPEN;
    return {
      field,
      kind,
      schema: orNull(write, !field.required, field),
      isRequired: field.required && field.default === undefined,
    };
  });
}

/** Values of examples by the format of a schema, or by its type where it has none. The first value that the field takes is shown. */
const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'date-time': ['2030-05-01T12:00:00Z'],
  date: ['2030-05-01'],
  'uri-reference': ['https://example.org'],
  string: ['An example', '10:30:00', 'ann@example.org'],
  integer: [1],
  number: [1],
  boolean: [true],
};

/** Says if a field takes a value, which must not contain references. */
function takes(kind: FieldKind, field: Field, value: unknown): boolean {
  try {
    kind.deserialize(value, field, NO_REFERENCES);
    return true;
  } catch (error) {
    if (error instanceof FieldError) return false;
    throw error;
  }
}

/** An example value that a field takes. Undefined for fields whose values depend on the site, such as references. */
function exampleOf(kind: FieldKind, field: Field, schema: object): unknown {
  const { type, format, enum: tokens }: JsonObject = { ...schema };
  if (kind.chooses !== undefined) return Array.isArray(tokens) ? tokens[0] : undefined;
  return EXAMPLES[String(format ?? type)]?.find((value) => takes(kind, field, value));
}

/** A type as POST takes it, with an example if every required field has an example value. */
function createSchema(shapes: Shapes, type: ContentType): TSchema {
  const fields = writtenFields(shapes, type);
  const example = fields
    .filter(({ isRequired }) => isRequired)
    .map(({ field, kind, schema }) => [field.name, exampleOf(kind, field, schema)] as const);
  const isWhole = example.every(([, value]) => value !== undefined);
  return Type.Object(
    {
      ...CreateBody.properties,
      '@type': Type.Literal(type.id),
      ...Object.fromEntries(
        fields.map(
          ({ field, schema, isRequired }) => [field.name, isRequired ? schema : Type.Optional(schema)] as const,
        ),
      ),
    },
    isWhole ? { examples: [{ '@type': type.id, ...Object.fromEntries(example) }] } : {},
  );
}

/** A change of a type as PATCH takes it. */
const changeSchema = (shapes: Shapes, type: ContentType): TSchema =>
  Type.Object({
    ...UpdateBody.properties,
    ...Object.fromEntries(writtenFields(shapes, type).map(({ field, schema }) => [field.name, Type.Optional(schema)])),
  });

const offeredComponents = (kernel: Kernel, site: Site): Component[] =>
  [...kernel.slots.get(COMPONENTS).values()].filter(({ isOffered }) => isOffered === undefined || isOffered(site));

/**
 * The components of content: each is its content if a request expands it, else a link. The schema of the content comes first, because generated
 * clients take the first schema that fits, and any component fits the schema of a link.
 */
function expansions(components: readonly Component[]): TSchema {
  const Link = Type.Object({ '@id': Address }, { additionalProperties: false, $id: 'ComponentLink' });
  return Type.Object(
    Object.fromEntries(
      components.map(({ name, schema }) => [name, Type.Optional(schema ? Type.Union([schema, Link]) : Link)]),
    ),
  );
}

const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of all content types of a site, as components of a document; schemas that they refer to go into `named`. */
function typeSchemas(kernel: Kernel, site: Site, mayUse: MayUse, named: NamedSchemas): JsonObject {
  const shapes = { kernel, mayUse, components: offeredComponents(kernel, site) };
  const types = [...site.types.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const names = componentNames(types);
  const nameOf = ({ id }: ContentType): string => names.get(id) ?? id;
  const union = (suffix: string): JsonObject => ({
    oneOf: types.map((type) => refTo(`${nameOf(type)}${suffix}`)),
    discriminator: {
      propertyName: '@type',
      mapping: Object.fromEntries(types.map((type) => [type.id, `#/components/schemas/${nameOf(type)}${suffix}`])),
    },
  });
  const each = (suffix: string, schemaOf: (type: ContentType) => TSchema): JsonObject =>
    Object.fromEntries(types.map((type) => [`${nameOf(type)}${suffix}`, publishSchema(schemaOf(type), named)]));
  return {
    ...each('Content', (type) => readSchema(shapes, type)),
    ...each('Create', (type) => createSchema(shapes, type)),
    ...each('Change', (type) => changeSchema(shapes, type)),
    Expansions: publishSchema(expansions(shapes.components), named),
    ContentObject: union('Content'),
    ContentCreate: union('Create'),
    SearchIndex: {
      type: 'string',
      enum: site.catalog.names(),
      description: 'An index of searches: a parameter of `@search`.',
    },
    ContentChange: { anyOf: types.map((type) => refTo(`${nameOf(type)}Change`)) },
  };
}

/**
 * All schemas of the content types of a site, with the schemas that they refer to, by their names in a document. Fields whose own permission the
 * caller lacks are left out; `mayUse` holds for all permissions unless given.
 */
export function siteSchemas(kernel: Kernel, site: Site, mayUse: MayUse = () => true): JsonObject {
  const named: NamedSchemas = new Map();
  const own = typeSchemas(kernel, site, mayUse, named);
  return { ...Object.fromEntries([...named].map(([name, { schema }]) => [name, schema])), ...own };
}
