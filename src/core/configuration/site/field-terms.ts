import { type ContentType, type Field, type FieldTerms, groupFields } from '../../types/content-type.ts';
import type { Property } from '../../types/definition.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { vocabularyName } from '../../types/vocabularies/vocabulary-definition.ts';
import type { Site } from './site.ts';
import { isSearched } from './vocabulary.ts';

/** The terms of the vocabulary with a name, for a field; undefined when they must be searched for each request. */
function termsOf(site: Site, name: string): FieldTerms | undefined {
  const vocabulary = site.registries.vocabularies.find(site, name);
  if (!vocabulary || isSearched(vocabulary)) return undefined;
  const { open } = vocabulary;
  const titles = new Map(vocabulary.terms(site, 'en').map(({ token, title }) => [token, title]));
  return { titles, takes: (token) => titles.has(token) || open?.(token) === true };
}

/**
 * Gives fields for choices the terms of their vocabulary, if these follow from the site alone. Values of the fields are checked against the terms and
 * served with their titles. Terms are made when a value is first read or written, because the site must be complete by then.
 */
export function withTerms(
  kinds: FieldKinds,
  types: ReadonlyMap<string, ContentType>,
  site: () => Site,
): Map<string, ContentType> {
  const known = new Map<string, FieldTerms | undefined>();
  const terms = (name: string) => {
    if (!known.has(name)) known.set(name, termsOf(site(), name));
    return known.get(name);
  };
  const withOwn = (field: Field): Field => {
    if (field.schema) return { ...field, group: groupFields(field).map(withOwn) };
    const name = kinds.of(field).chooses ? vocabularyName(field) : undefined;
    return name === undefined ? field : { ...field, terms: () => terms(name) };
  };
  return new Map(
    [...types].map(([id, type]) => {
      const fields = type.fields.map(withOwn);
      return [id, { ...type, fields, fieldByName: new Map(fields.map((field) => [field.name, field])) }];
    }),
  );
}

type Part = { properties?: Record<string, Property> };

/** Puts the settings of control panels for all fields of a kind into the fields of a type or behavior. */
export function configuredFields(
  kinds: FieldKinds,
  settings: ReadonlyMap<string, Record<string, unknown>>,
): <P extends Part>(part: P) => P {
  const configured = (property: Property): Property => {
    if (property.schema) return { ...property, schema: configuredParts(property.schema) };
    return kinds.of(property).configured?.(property, settings) ?? property;
  };
  const configuredParts = <S extends { properties: Record<string, Property> }>(schema: S): S => ({
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, configured(property)]),
    ),
  });
  return (part) =>
    part.properties
      ? {
          ...part,
          properties: Object.fromEntries(
            Object.entries(part.properties).map(([name, property]) => [name, configured(property)]),
          ),
        }
      : part;
}
