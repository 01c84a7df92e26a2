import { type Static, Type } from 'typebox';
import {
  type ContentType,
  type FieldKinds,
  type Fieldset,
  Form,
  fieldSchema,
  fieldValues,
  type Property,
  type ResolvedNode,
  type Site,
  speaksPlone,
} from '#core';
import type { JsonObject } from '#lib/json-object';

/** Marks fields and fieldsets that the type itself defines: Volto lets people edit only those. */
const GENERATED = 'plone.dexterity.schema.generated';

/**
 * The context of a schema: the site, the kinds of fields, the site root, the object of the form, and the container of new content. `mayWrite` says
 * which fields with a permission of their own a form may offer; all unless given.
 */
export type SchemaView = {
  site: Site;
  kinds: FieldKinds;
  base: string;
  context: string;
  container?: ResolvedNode;
  mayWrite?(permission: string): boolean;
};

/** Own choices of a field are a source, which forms can search (plone.restapi, T15). */
function withSource(property: Property, name: string, { context }: SchemaView): Property {
  const vocabulary = { '@id': `${context}/@sources/${encodeURIComponent(name)}` };
  if (property.choices) return { ...property, vocabulary };
  return property.items?.choices ? { ...property, items: { ...property.items, vocabulary } } : property;
}

/** The fields inside of a group in two forms: as `schema` for forms of Volto, and as properties of the objects in JSON Schema. */
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
  ...fieldValues.startingValue(view.site, type, name, view.container),
  ...(property.behavior === type.id && { behavior: `${GENERATED}.${type.id}` }),
});

const typeFieldset = (site: Site, type: ContentType, fieldset: Fieldset): Form['fieldsets'][number] => ({
  ...fieldset,
  // In Plone fieldsets do not name a behavior.
  ...(speaksPlone(site) ? { description: fieldset.description ?? '', behavior: 'plone' } : {}),
  ...(fieldset.behavior === type.id && { behavior: GENERATED }),
});

/** The field or fieldset with a name in the form of `@types`; undefined for an unknown name. */
export function typePart(view: SchemaView, type: ContentType, name: string): JsonObject | undefined {
  const property = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined;
  const fieldset = type.fieldsets.find(({ id }) => id === name);
  if (property) return typeField(view, type, name, property);
  return fieldset && typeFieldset(view.site, type, fieldset);
}

/** The schema of a type in responses. */
export const TypeSchema = Type.Object({
  ...Form.properties,
  title: Type.String(),
  layouts: Type.Array(Type.String()),
});

/** The JSON schema of a type (plone.restapi §7, `@types`), from which its forms are made. */
export function typeSchema(view: SchemaView, type: ContentType): Static<typeof TypeSchema> {
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
