import { type Static, Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import { AnyObject } from '../../lib/schema/shapes.ts';
import { say, titledIn } from '../configuration/site/localized-site.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Property, Schema } from '../types/definition.ts';

/** A form in responses. Its fields are described as in `@types`. */
export const Form = Type.Object({
  type: Type.Literal('object'),
  fieldsets: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.Optional(Type.String()),
      fields: Type.Array(Type.String()),
      behavior: Type.Optional(Type.String()),
    }),
  ),
  properties: Type.Record(Type.String(), AnyObject(), { description: 'The fields by their names.' }),
  required: Type.Array(Type.String()),
});
export type Form = Static<typeof Form>;

/** The address of a vocabulary; the stored value is its name, or the address that a client sent back. */
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

/** The factory of the items of a list, for forms that show a field for each of them. */
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

/** A field in the form of `@types`: the stored field, with the addresses of its vocabularies (plone.restapi §7, `@types`). */
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

/** The form of a schema, in the language of the reader. */
export const formOf = (site: Site, base: string, { fieldsets, properties, required }: Schema): Form => ({
  type: 'object',
  fieldsets: fieldsets.map((fieldset) => ({ ...fieldset, title: say(site, fieldset.title) })),
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fieldSchema(base, titledIn(site, property))]),
  ),
  required,
});
