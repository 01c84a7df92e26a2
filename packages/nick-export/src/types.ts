import {
  type ExportedType,
  isJsonObject,
  type JsonObject,
  memberOf,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { merged, type NickFolder, namesIn, readObject } from './profiles.ts';

/** Kinds of fields of which the values need care. */
type FieldRole = 'File' | 'Image' | 'Relation Choice' | 'Relation List';

/** A type of the profiles with its behaviors merged into it. */
export type NickType = { definition: ExportedType; roles: ReadonlyMap<string, FieldRole>; file: string };

/** Fields of the types that come with Nick, for content whose profile does not have the types. */
const KNOWN_ROLES: Readonly<Record<string, FieldRole>> = {
  file: 'File',
  image: 'Image',
  video: 'File',
  preview_image: 'Image',
  preview_image_link: 'Relation Choice',
  relatedItems: 'Relation List',
};

/** The role of a field; undefined for one whose values are taken as they are. */
export const roleOf = (type: NickType | undefined, name: string): FieldRole | undefined =>
  type?.roles.get(name) ?? (type === undefined && Object.hasOwn(KNOWN_ROLES, name) ? KNOWN_ROLES[name] : undefined);

const isRole = (value: unknown): value is FieldRole =>
  value === 'File' || value === 'Image' || value === 'Relation Choice' || value === 'Relation List';

/** Fields of Nick's own behaviors that other programs do not have: types get them where content has values of them. */
const RARE_FIELDS = new Set(['coverage', 'source', 'publisher', 'attendies']);

/** Reads the types of all profiles. */
export async function readTypes(folder: NickFolder): Promise<ReadonlyMap<string, NickType>> {
  const [behaviors, vocabularies] = [await definitions(folder, 'behaviors'), await definitions(folder, 'vocabularies')];
  const types = new Map<string, NickType>();
  for (const [id, { data, file }] of await definitions(folder, 'types'))
    types.set(id, { ...typeOf(id, data, { behaviors, vocabularies }), file });
  return types;
}

type Definitions = ReadonlyMap<string, { data: JsonObject; file: string }>;

/** Definitions by their ids, those of several profiles merged. */
async function definitions(folder: NickFolder, kind: string): Promise<Definitions> {
  const found = new Map<string, { data: JsonObject; file: string }>();
  for (const [file] of await namesIn(folder, kind)) {
    const data = await readObject(folder, file);
    const id = stringOrNull(data?.id);
    if (data === undefined) continue;
    if (id === null) folder.problems.add({ reason: 'unreadable', file, message: 'The definition has no id.' });
    else {
      const both = merged(found.get(id)?.data, data);
      found.set(id, { data: isJsonObject(both) ? both : data, file });
    }
  }
  return found;
}

type Known = { behaviors: Definitions; vocabularies: Definitions };

function typeOf(id: string, data: JsonObject, known: Known): Omit<NickType, 'file'> {
  const schema = isJsonObject(data.schema) ? data.schema : {};
  const parts = [...partsOf(schema, known.behaviors, new Set()), schema];
  const all = parts.flatMap((part) => Object.entries(isJsonObject(part.properties) ? part.properties : {}));
  const properties = new Map<string, JsonObject>();
  for (const [name, property] of all)
    if (isJsonObject(property)) properties.set(name, withChoices(property, known.vocabularies));
  const roles = new Map<string, FieldRole>();
  for (const [name, { factory }] of properties) if (isRole(factory)) roles.set(name, factory);
  const declared = [...properties].filter(([name]) => !RARE_FIELDS.has(name));
  const names = new Set(declared.map(([name]) => name));
  return {
    roles,
    definition: {
      id,
      title: stringOrNull(data.title) ?? id,
      description: stringOf(data.description),
      behaviors: stringsOf(schema.behaviors),
      fieldsets: fieldsetsOf(parts, names),
      properties: Object.fromEntries(declared),
      required: [...new Set(parts.flatMap((part) => stringsOf(part.required)))].filter((name) => names.has(name)),
      isAddable: data.global_allow !== false,
      allowedTypes: data.filter_content_types === true ? stringsOf(data.allowed_content_types) : null,
      layouts: stringsOf(schema.layouts),
      workflow: stringOrNull(data.workflow),
    },
  };
}

/** The schemas of the behaviors of a schema, those that others are made of first. */
function partsOf(schema: JsonObject, behaviors: Definitions, seen: Set<string>): JsonObject[] {
  return stringsOf(schema.behaviors).flatMap((name): JsonObject[] => {
    const own = memberOf(behaviors.get(name)?.data, 'schema');
    if (!isJsonObject(own) || seen.has(name)) return [];
    seen.add(name);
    return [...partsOf(own, behaviors, seen), own];
  });
}

/** A field with the terms of a vocabulary of the profiles as its choices: the vocabulary itself stays behind. */
function withChoices(property: JsonObject, vocabularies: Definitions): JsonObject {
  const items = isJsonObject(property.items) ? { items: withChoices(property.items, vocabularies) } : {};
  const name = stringOf(memberOf(property.vocabulary, '@id')).split('/').at(-1) ?? '';
  const terms = memberOf(vocabularies.get(name)?.data, 'items');
  if (!Array.isArray(terms)) return { ...property, ...items };
  const { vocabulary: _, ...others } = property;
  const choices = terms.flatMap((term): [string, string][] => {
    const token = stringOrNull(memberOf(term, 'token'));
    return token === null ? [] : [[token, stringOrNull(memberOf(term, 'title')) ?? token]];
  });
  return { ...others, ...items, choices };
}

function fieldsetsOf(parts: readonly JsonObject[], names: ReadonlySet<string>): ExportedType['fieldsets'] {
  const fieldsets = new Map<string, { id: string; title: string; fields: string[] }>();
  for (const part of parts) {
    for (const fieldset of Array.isArray(part.fieldsets) ? part.fieldsets : []) {
      const id = stringOrNull(memberOf(fieldset, 'id'));
      if (id === null) continue;
      const known = fieldsets.get(id) ?? { id, title: stringOrNull(memberOf(fieldset, 'title')) ?? id, fields: [] };
      fieldsets.set(id, known);
      for (const name of stringsOf(memberOf(fieldset, 'fields')))
        if (names.has(name) && !known.fields.includes(name)) known.fields.push(name);
    }
  }
  return [...fieldsets.values()].filter(({ fields }) => fields.length > 0);
}
