import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import type { Property, TypeDefinition } from '../../src/core/types/definition.ts';

/** A property of a type, without the keys that these tests do not use. */
export type PropertyOf = Partial<Property> & { factory: string };

/** Adds a type with a title and the members of `definition` to the site; it counts from the next request on. */
export async function addType(
  { db }: Pick<Kernel, 'db'>,
  {
    properties = {},
    ...definition
  }: Partial<Omit<TypeDefinition, 'properties'>> & { id: string; properties?: Record<string, PropertyOf> },
): Promise<void> {
  const data: TypeDefinition = {
    title: definition.id,
    behaviors: ['basic'],
    global_allow: true,
    filter_content_types: false,
    allowed_content_types: [],
    workflow: 'simple_publication_workflow',
    layouts: ['view'],
    fieldsets: [{ id: 'default', title: 'Default', fields: Object.keys(properties) }],
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, { title: name, type: 'string', ...property }]),
    ),
    ...definition,
  };
  await writeConfiguration(db, [{ kind: KINDS.type, id: data.id, position: 100, data }]);
}
