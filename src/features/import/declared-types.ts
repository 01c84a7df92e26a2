import { type ExportedType, isJsonObject, numberOrNull, stringOrNull } from '@canopy-server/site-reader';
import type { Behavior, ContentType, FieldKinds, Property, Site, TypeDefinition } from '#core';
import { MAX_NEW_FIELDS, mayNameField } from './extend-type.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportJob } from './import-run.ts';
import { type FieldInference, fieldProperty } from './infer-field.ts';
import { NOT_FIELDS } from './item-values.ts';
import { isIdentifier } from './storable-text.ts';
import type { TypeSamples } from './type-samples.ts';

/** Factories of fields that the export names only by their widget or their type. */
const BY_WIDGET: Readonly<Record<string, string>> = {
  textarea: 'Text',
  richtext: 'Rich Text',
  datetime: 'Date/Time',
  date: 'Date',
  url: 'URL',
  email: 'Email',
};
const BY_TYPE: Readonly<Record<string, string>> = {
  string: 'Text line (String)',
  boolean: 'Yes/No',
  integer: 'Integer',
  number: 'Floating-point number',
};

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');

/** The terms of a field: its own choices, or the name of a vocabulary. */
function termsOf(value: Record<string, unknown>): Pick<Property, 'choices' | 'vocabulary'> {
  const id = isJsonObject(value.vocabulary) ? stringOrNull(value.vocabulary['@id']) : null;
  return {
    ...(Array.isArray(value.choices) ? { choices: value.choices.filter(isPair) } : {}),
    ...(id === null ? {} : { vocabulary: { '@id': id.split('/').at(-1) ?? id } }),
  };
}

/** A field of an exported type as a definition of this site. A field of a kind that the site does not have takes any JSON. */
function declaredProperty(kinds: FieldKinds, name: string, declared: Record<string, unknown>): Property {
  const widget = stringOrNull(declared.widget);
  const named =
    kinds.factory(declared.factory) ??
    kinds.factory(BY_WIDGET[widget ?? '']) ??
    kinds.factory(BY_TYPE[stringOrNull(declared.type) ?? '']);
  const factory = named && !kinds.isGroup({ factory: named.name }) ? named : kinds.factory('JSONField');
  if (!factory) throw new Error('No kind of field takes any JSON');
  const { items } = declared;
  const texts = { description: stringOrNull(declared.description), pattern: stringOrNull(declared.pattern) };
  return {
    title: stringOrNull(declared.title) ?? name,
    factory: factory.name,
    ...factory.property,
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null)),
    ...termsOf(declared),
    ...(isJsonObject(items) ? { items: { type: stringOrNull(items.type) ?? 'string', ...termsOf(items) } } : {}),
    ...(declared.default === undefined || declared.default === null ? {} : { default: declared.default }),
    ...Object.fromEntries(
      LIMITS.flatMap((key) => (numberOrNull(declared[key]) === null ? [] : [[key, declared[key]]])),
    ),
  };
}

/** The types that an export declares, by their names there. Those with an impossible name are reported. */
export async function declaredTypes({ source, report }: ImportJob, limit: number): Promise<Map<string, ExportedType>> {
  const types = new Map<string, ExportedType>();
  if (!source.types) return types;
  for await (const type of source.types()) {
    if (!isIdentifier(type.id))
      report.add({
        reason: 'object',
        path: null,
        key: type.id.slice(0, 100),
        message: 'The name of a content type cannot be one.',
      });
    else if (types.size < limit) types.set(type.id, type);
    else report.note({ reason: 'object', path: null, key: type.id, message: `More than ${limit} types are not read.` });
  }
  return types;
}

/** The fields that an export declares for a type and the type lacks. */
export function lackingFields(kinds: FieldKinds, type: ContentType, declared: ExportedType): Map<string, Property> {
  const lacking = Object.entries(declared.properties)
    .filter(([name]) => !type.fieldByName.has(name) && !NOT_FIELDS.has(name) && mayNameField(name))
    .slice(0, MAX_NEW_FIELDS);
  return new Map(lacking.map(([name, property]) => [name, declaredProperty(kinds, name, property)]));
}

/** The context in which a type is made of its declaration. */
type Making = {
  site: Site;
  inference: FieldInference;
  /** The id that a type of the export has on the site; undefined for none. */
  idOf(name: string): string | undefined;
  report: Pick<ImportReport, 'note'>;
};

/**
 * The definition of a new type as the export declares it, with the fields that its objects have beyond that. What the behaviors of the
 * site bring is not among its own fields.
 */
export function definitionOf(
  { site, inference, idOf, report }: Making,
  declared: ExportedType,
  samples: TypeSamples,
): TypeDefinition {
  const { fieldKinds: kinds } = site.registries;
  const known = [...site.behaviors.values()];
  const behaviors = declared.behaviors.flatMap((name): Behavior[] => {
    const found = known.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
    if (found || name === FOLDERISH) return found ? [found] : [];
    const message = `The site has no behavior ${name}: the fields of it become fields of the type ${declared.id}.`;
    report.note({ reason: 'changed', path: null, key: `${declared.id}.${name}`, message });
    return [];
  });
  const ids = behaviors.map(({ id }) => id);
  if (declared.behaviors.includes(FOLDERISH) && !ids.includes(FOLDERISH)) ids.push(FOLDERISH);
  const covered = new Set(behaviors.flatMap(({ properties = {} }) => Object.keys(properties)));
  const mayHave = (name: string) => !covered.has(name) && !NOT_FIELDS.has(name) && inference.mayName(name);
  const own = Object.entries(declared.properties).filter(([name]) => mayHave(name));
  const shown = [...samples.firstWith.keys()].filter(
    (name) => mayHave(name) && !Object.hasOwn(declared.properties, name),
  );
  const properties: Record<string, Property> = Object.fromEntries(
    [...own.map(([name]) => name), ...shown.sort()].slice(0, MAX_NEW_FIELDS).map((name) => {
      const property = Object.hasOwn(declared.properties, name) ? declared.properties[name] : undefined;
      return [name, fieldProperty(inference, name, samples.items, property && declaredProperty(kinds, name, property))];
    }),
  );
  const placed = declared.fieldsets.map(({ fields, ...fieldset }) => ({
    ...fieldset,
    fields: fields.filter((name) => Object.hasOwn(properties, name)),
  }));
  const named = new Set(placed.flatMap(({ fields }) => fields));
  const others = Object.keys(properties).filter((name) => !named.has(name));
  const allowed = declared.allowedTypes?.flatMap((name) => idOf(name) ?? []);
  return {
    id: declared.id,
    title: declared.title,
    description: declared.description,
    behaviors: [...new Set(ids)],
    fieldsets: [
      ...placed.filter(({ fields }) => fields.length > 0),
      ...(others.length > 0 ? [{ id: 'imported', title: 'Imported', fields: others }] : []),
    ],
    properties,
    required: declared.required.filter((name) => Object.hasOwn(properties, name)),
    global_allow: declared.isAddable,
    filter_content_types: allowed !== undefined,
    allowed_content_types: allowed ?? [],
    workflow: declared.workflow !== null && site.workflows.has(declared.workflow) ? declared.workflow : null,
    layouts: declared.layouts.length > 0 ? declared.layouts : ['view'],
    generated_by: 'import',
  };
}

/** The behavior that makes a type a container. */
const FOLDERISH = 'folderish';
