import type { Behavior, Fieldset, Property, Schema, TypeDefinition } from './definition.ts';
import type { IndexKind } from './index-kinds.ts';

/** A field of a type: its name and merged settings. */
export type Field = Property & {
  name: string;
  required: boolean;
  /** The fields inside of a group, with their terms; made from its `schema` if absent. */
  group?: readonly Field[];
  /** The terms of its vocabulary, if they follow from the site alone. */
  terms?: () => FieldTerms | undefined;
};

/** The fields of a schema. */
const fieldsOf = ({ properties, required }: Pick<Schema, 'properties' | 'required'>): Field[] =>
  Object.entries(properties).map(([name, property]) => ({ ...property, name, required: required.includes(name) }));

/** The fields inside of a group; empty for other fields. */
export const groupFields = ({ group, schema }: Field): readonly Field[] => group ?? (schema ? fieldsOf(schema) : []);

/** The terms of a vocabulary in the form for fields. */
export type FieldTerms = {
  /** Titles by token. */
  titles: ReadonlyMap<string, string>;
  /** Says if the field may have a token as its value: one of the terms, or another token if the vocabulary is open. */
  takes(token: string): boolean;
};

/** An index of the catalog that finds objects of a type by one of its fields. */
export type FieldIndex = {
  /** The name in queries. */
  name: string;
  kind: IndexKind;
  /** The field whose values it has. */
  field: Field;
  title: string;
  description: string;
  group: string;
  /** True if the editor of queries offers it. */
  enabled: boolean;
  sortable: boolean;
};

/** A type with the schemas of its behaviors merged in, by which content is written and served. */
export type ContentType = TypeDefinition &
  Schema & {
    fields: Field[];
    fieldByName: Map<string, Field>;
    /** True if objects of the type can contain others. */
    folderish: boolean;
    /** Ids and aliases of all behaviors of the type. */
    behaviorNames: Set<string>;
    /** Indexes of its fields; filled in when the site is built, see `declareCatalog`. */
    indexes: readonly FieldIndex[];
    /** Columns of listings that the site declares, each with the field of this type that it shows, if any. */
    columns: ReadonlyMap<string, string | null>;
  };

/** Fieldsets of the same id become one, in the order of their first appearance. */
function mergeFieldsets(parts: { source: string; fieldsets: Fieldset[] }[]): Fieldset[] {
  const merged = new Map<string, Fieldset>();
  for (const { source, fieldsets } of parts) {
    for (const fieldset of fieldsets) {
      const known = merged.get(fieldset.id);
      if (known) known.fields.push(...fieldset.fields.filter((name) => !known.fields.includes(name)));
      else merged.set(fieldset.id, { behavior: source, ...fieldset, fields: [...fieldset.fields] });
    }
  }
  return [...merged.values()];
}

/**
 * Merges a type with its behaviors: behaviors in their order, then the type's own schema, which may override a behavior's field. Each property gets
 * the id of its behavior or type. Missing behaviors are ignored, because their add-on may be removed.
 */
export function resolveType(definition: TypeDefinition, behaviors: ReadonlyMap<string, Behavior>): ContentType {
  const used = definition.behaviors.flatMap((id) => behaviors.get(id) ?? []);
  const parts = [...used.map((part) => ({ ...part, source: part.id })), { ...definition, source: definition.id }];
  const properties: Record<string, Property> = {};
  const required = new Set<string>();
  for (const { source, properties: own = {}, required: needs = [] } of parts) {
    for (const [name, property] of Object.entries(own)) {
      properties[name] = { ...property, behavior: source };
      if (!needs.includes(name)) required.delete(name);
    }
    for (const name of needs) required.add(name);
  }
  const fieldsets = mergeFieldsets(parts.map(({ source, fieldsets: own = [] }) => ({ source, fieldsets: own })));
  const fields = Object.entries(properties).map(([name, property]) => ({
    ...property,
    name,
    required: required.has(name),
  }));
  const behaviorNames = new Set(used.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
  return {
    ...definition,
    properties,
    required: [...required],
    fieldsets,
    fields,
    fieldByName: new Map(fields.map((field) => [field.name, field])),
    folderish: behaviorNames.has('folderish'),
    behaviorNames,
    indexes: [],
    columns: new Map(),
  };
}
