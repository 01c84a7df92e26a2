import { type Behavior, type ContentType, resolveType, type Schema, type TypeDefinition } from '#core';

/** Behaviors by all their names. */
export function behaviorsByName(behaviors: Iterable<Behavior>): Map<string, Behavior> {
  const named = new Map<string, Behavior>();
  for (const behavior of behaviors) {
    for (const name of behavior.aliases ?? []) if (!named.has(name)) named.set(name, behavior);
  }
  for (const behavior of behaviors) named.set(behavior.id, behavior);
  return named;
}

/** A type without its own fields, with the fields of its behaviors. */
export const inheritedPart = (definition: TypeDefinition, behaviors: ReadonlyMap<string, Behavior>): ContentType =>
  resolveType({ ...definition, properties: {}, fieldsets: [], required: [] }, behaviors);

/** The own fields and fieldsets of a type, with each own field in one of its fieldsets. */
export function ownSchema({ properties = {}, fieldsets = [], required = [] }: TypeDefinition): Schema {
  const listed = new Set(fieldsets.flatMap(({ fields }) => fields));
  const left = Object.keys(properties).filter((name) => !listed.has(name));
  const sets = fieldsets.map((fieldset) => ({ ...fieldset, fields: [...fieldset.fields] }));
  if (left.length > 0) {
    const first = sets.find(({ id }) => id === 'default');
    if (first) first.fields.push(...left);
    else sets.push({ id: 'default', title: 'Default', fields: left });
  }
  return { properties: { ...properties }, fieldsets: sets, required: [...required] };
}
