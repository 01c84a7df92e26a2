import type { JsonObject } from '../../lib/json-object.ts';
import { speaksPlone } from '../configuration/site/plone-names.ts';
import type { Site } from '../configuration/site/site.ts';
import { eventTimes } from '../content/event-times.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Fieldset, Property } from '../types/definition.ts';
import type { FieldKinds } from '../types/field-kinds.ts';

/** A vocabulary by its address; stored is its name, or the address that a client sent back. */
function vocabularyAddress(base: string, { '@id': stored }: { '@id': string }): { '@id': string } {
  const name = stored.split('/@vocabularies/').at(-1) ?? stored;
  return { '@id': name.includes('/') ? name : `${base}/@vocabularies/${encodeURIComponent(name)}` };
}

/** A vocabulary at the key `vocabulary` of a part of a property, if there is one. */
function withAddress<T extends object>(base: string, part: T): T {
  const vocabulary = 'vocabulary' in part ? part.vocabulary : undefined;
  if (
    typeof vocabulary !== 'object' ||
    vocabulary === null ||
    !('@id' in vocabulary) ||
    typeof vocabulary['@id'] !== 'string'
  )
    return part;
  return { ...part, vocabulary: vocabularyAddress(base, { '@id': vocabulary['@id'] }) };
}

/** Choices in the two other forms that forms read (plone.restapi, T04). */
const enumeration = (choices: [string, string][] | undefined): JsonObject =>
  choices ? { enum: choices.map(([token]) => token), enumNames: choices.map(([, title]) => title) } : {};

/** Factory of the items of a list, for forms that show a field for each item. */
const itemFactory = ({ factory, items }: Property): string =>
  factory === 'Relation List'
    ? 'Relation Choice'
    : items?.vocabulary || items?.choices
      ? 'Choice'
      : 'Text line (String)';

function itemSchema(base: string, property: Property): JsonObject {
  const { items } = property;
  if (!items) return {};
  const described = items.type === 'string' ? { title: '', description: '', factory: itemFactory(property) } : {};
  return { items: { ...described, ...withAddress(base, items), ...enumeration(items.choices) } };
}

/** A field as `@types` serves it: as it is stored, with the addresses of its vocabularies (plone.restapi §7, `@types`). */
export function fieldSchema(base: string, property: Property): JsonObject {
  const { widgetOptions, choices } = property;
  return {
    description: '',
    ...withAddress(base, property),
    ...enumeration(choices),
    ...itemSchema(base, property),
    ...(widgetOptions ? { widgetOptions: withAddress(base, widgetOptions) } : {}),
  };
}

/** Marks fields and fieldsets that the type itself defines: Volto lets people edit only those. */
const GENERATED = 'plone.dexterity.schema.generated';

/**
 * Where a schema is asked for: the site, the kinds of fields, the site root, the object that a form is for, and the language of
 * what is made there. `mayWrite` says which fields with a
 * permission of their own a form may offer; all unless given.
 */
export type SchemaView = {
  site: Site;
  kinds: FieldKinds;
  base: string;
  context: string;
  language?: string;
  mayWrite?(permission: string): boolean;
};

/** Choices of its own are a source of the field, which forms can search (plone.restapi, T15). */
function withSource(property: Property, name: string, { context }: SchemaView): Property {
  const vocabulary = { '@id': `${context}/@sources/${encodeURIComponent(name)}` };
  if (property.choices) return { ...property, vocabulary };
  return property.items?.choices ? { ...property, items: { ...property.items, vocabulary } } : property;
}

/**
 * Default in the form where the type stores no default: an event begins at the full hour, and content is in the language of its
 * container, which Nick's forms leave to the server.
 */
function startingValue({ site, language }: SchemaView, type: ContentType, name: string): JsonObject {
  const time = name === 'start' || name === 'end' ? eventTimes(site, type)[name] : undefined;
  // Plone writes moments in forms without fractions of a second, and UTC as numbers.
  const value = name === 'language' && speaksPlone(site) ? language : time?.toISOString().replace('.000Z', '+00:00');
  return value === undefined ? {} : { default: value };
}

/**
 * The fields inside of a group in the two forms that are read: `schema` as forms of Volto have it, and the properties of the
 * objects as JSON Schema describes them.
 */
function groupSchema(view: SchemaView, property: Property): JsonObject {
  const { schema } = property;
  if (!schema) return {};
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [name, memberSchema(view, member)]),
  );
  return {
    schema: { title: property.title, type: 'object', ...schema, properties },
    ...(view.kinds.of(property).groups === 'many'
      ? { items: { type: 'object', properties, required: schema.required } }
      : { properties }),
  };
}

const memberSchema = (view: SchemaView, property: Property): JsonObject => ({
  ...fieldSchema(view.context, property),
  ...view.kinds.of(property).schema?.(property),
  ...groupSchema(view, property),
});

const typeField = (view: SchemaView, type: ContentType, name: string, property: Property): JsonObject => ({
  ...memberSchema(view, withSource(property, name, view)),
  ...startingValue(view, type, name),
  ...(property.behavior === type.id && { behavior: `${GENERATED}.${type.id}` }),
});

const typeFieldset = (site: Site, type: ContentType, fieldset: Fieldset): JsonObject => ({
  ...fieldset,
  // In Plone fieldsets of all behaviors belong to none of them.
  ...(speaksPlone(site) ? { description: fieldset.description ?? '', behavior: 'plone' } : {}),
  ...(fieldset.behavior === type.id && { behavior: GENERATED }),
});

/** The field or fieldset of a name, as `@types` serves it; undefined for none. */
export function typePart(view: SchemaView, type: ContentType, name: string): JsonObject | undefined {
  const property = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined;
  const fieldset = type.fieldsets.find(({ id }) => id === name);
  if (property) return typeField(view, type, name, property);
  return fieldset && typeFieldset(view.site, type, fieldset);
}

/** The JSON schema of a type (plone.restapi §7, `@types`): what its forms are made of. */
export function typeSchema(view: SchemaView, type: ContentType): JsonObject {
  const closed = new Set(
    type.fields
      .filter(({ write_permission: permission }) => permission !== undefined && view.mayWrite?.(permission) === false)
      .map(({ name }) => name),
  );
  const isOffered = (name: string) => !closed.has(name);
  return {
    type: 'object',
    title: type.title,
    properties: Object.fromEntries(
      Object.entries(type.properties)
        .filter(([name]) => isOffered(name))
        .map(([name, property]) => [name, typeField(view, type, name, property)]),
    ),
    required: type.required.filter(isOffered),
    fieldsets: type.fieldsets.map((fieldset) =>
      typeFieldset(view.site, type, { ...fieldset, fields: fieldset.fields.filter(isOffered) }),
    ),
    layouts: type.layouts,
  };
}
