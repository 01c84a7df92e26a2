import {
  type Behavior,
  type ContentType,
  type Fieldset,
  fieldDefinitions,
  type Property,
  type Site,
  type TypeDefinition,
} from '#core';
import type { TypeAddition } from './import-summary.ts';
import { type FieldInference, fieldProperty } from './infer-field.ts';
import { inferBehaviors, type StandardFields } from './infer-type.ts';
import type { TypeSamples } from './type-samples.ts';

/** Fields and views that one type can get: a hostile export can have any number of them. */
export const MAX_NEW_FIELDS = 300;
const MAX_NEW_LAYOUTS = 50;

/** Names that fields of imported types can have: those of Python, and those that add-ons of Plone make from them. */
const NAME = /^[A-Za-z_][\w.-]{0,127}$/;

/** Says if a type can get a field of the name from an import. */
export const mayNameField = (name: string): boolean => NAME.test(name) && !fieldDefinitions.isReservedName(name);

/** The fieldset of fields that an import adds. */
const IMPORTED: Omit<Fieldset, 'fields'> = { id: 'imported', title: 'Imported' };

/** The parts that a type lacks for its objects in the export. */
export type TypeLack = {
  samples: TypeSamples;
  /** Fields that the export declares for the type. */
  declared: ReadonlyMap<string, Property>;
  /** Names of relations that the export keeps beside its objects. */
  relations: ReadonlySet<string>;
  layouts: ReadonlySet<string>;
  /** True if its text is to become a block. */
  needsBlocks: boolean;
};

/** The behavior of types with blocks. */
export const BLOCKS = 'volto.blocks';

const RELATIONS: Omit<Property, 'title'> = {
  type: 'array',
  factory: 'Relation List',
  uniqueItems: true,
  items: { type: 'string', vocabulary: { '@id': 'plone.app.vocabularies.Catalog' } },
};

/** The definition of a type with what its objects have and it lacks; undefined when it lacks nothing. */
export function extendType(
  site: Site,
  { type, definition }: { type: ContentType; definition: TypeDefinition },
  { samples, declared, relations, layouts, needsBlocks }: TypeLack,
  standard: StandardFields,
): { definition: TypeDefinition; addition: TypeAddition } | undefined {
  const { fieldKinds: kinds } = site.registries;
  const named = [...new Set([...declared.keys(), ...samples.firstWith.keys()])].filter(
    (name) => !type.fieldByName.has(name),
  );
  const related = [...relations].filter((name) => !type.fieldByName.has(name) && !named.includes(name));
  const lacking = [...named, ...related].filter(mayNameField).slice(0, MAX_NEW_FIELDS);
  const inference: FieldInference = {
    kinds,
    behaviors: site.behaviors.values(),
    termsOf: samples.termsOf,
    mayName: mayNameField,
  };
  const behaviors = behaviorsFor(site, type, { lacking, needsBlocks, standard });
  const covered = new Set(behaviors.flatMap((id) => Object.keys(site.behaviors.get(id)?.properties ?? {})));
  const own = lacking.filter((name) => !covered.has(name)).sort();
  const views = [...layouts].filter((layout) => !type.layouts.includes(layout)).slice(0, MAX_NEW_LAYOUTS);
  if (behaviors.length + own.length + views.length === 0) return undefined;
  const properties: Record<string, Property> = Object.fromEntries(
    own.map((name) => [
      name,
      fieldProperty(
        inference,
        name,
        samples.items,
        declared.get(name) ?? (related.includes(name) ? { title: name, ...RELATIONS } : undefined),
      ),
    ]),
  );
  return {
    definition: {
      ...definition,
      behaviors: [...definition.behaviors, ...behaviors],
      properties: { ...definition.properties, ...properties },
      fieldsets: withFields(definition.fieldsets ?? [], Object.keys(properties)),
      layouts: [...definition.layouts, ...views],
    },
    addition: {
      type: type.id,
      behaviors,
      fields: Object.entries(properties).map(([name, { factory }]) => ({ name, kind: factory })),
      layouts: views,
    },
  };
}

/** The behaviors of the site that bring fields which the type lacks. */
function behaviorsFor(
  site: Site,
  type: ContentType,
  { lacking, needsBlocks, standard }: { lacking: string[]; needsBlocks: boolean; standard: StandardFields },
): string[] {
  const names = new Set([...type.fieldByName.keys(), ...lacking]);
  const known = [...site.behaviors.values()];
  const found = [...inferBehaviors(names, standard).behaviors, BLOCKS].flatMap(
    (name) => known.find(({ id, aliases = [] }) => id === name || aliases.includes(name)) ?? [],
  );
  const brings = ({ id, aliases = [], properties = {} }: Behavior) =>
    lacking.some((name) => Object.hasOwn(properties, name)) || (needsBlocks && [id, ...aliases].includes(BLOCKS));
  return [...new Set(found)].filter((one) => !type.behaviorNames.has(one.id) && brings(one)).map(({ id }) => id);
}

function withFields(fieldsets: Fieldset[], names: string[]): Fieldset[] {
  if (names.length === 0) return fieldsets;
  const known = fieldsets.find(({ id }) => id === IMPORTED.id);
  const others = fieldsets.filter((fieldset) => fieldset !== known);
  return [...others, { ...IMPORTED, ...known, fields: [...(known?.fields ?? []), ...names] }];
}
