import { KINDS } from '../../src/core/configuration/site/site.ts';
import {
  type ConfigurationRow,
  loadConfiguration,
  writeConfiguration,
} from '../../src/core/configuration/statements/configuration.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import type { Behavior, Property, SiteColumn, SiteIndex, TypeDefinition } from '../../src/core/types/definition.ts';

/** Writes configuration as the services do: nothing is written unless a site can be built from it. */
async function configure(kernel: Kernel, rows: ConfigurationRow[]): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await writeConfiguration(tx, rows);
    await kernel.sites.at((await loadConfiguration(tx)).version, tx);
  });
}

/** The stored definition of a type or behavior, with its row. */
async function definition(kernel: Kernel, kind: string, id: string) {
  const { rows } = await loadConfiguration(kernel.db);
  const row = rows.find((one) => one.kind === kind && one.id === id);
  if (!row) throw new Error(`There is no ${kind} ${id}`);
  return { row, data: row.data as TypeDefinition | Behavior };
}

/** Adds fields to a type, or to a behavior, in place of those of the same names. */
export async function addFields(
  kernel: Kernel,
  id: string,
  properties: Record<string, Property>,
  kind: string = KINDS.type,
): Promise<void> {
  const { row, data } = await definition(kernel, kind, id);
  await configure(kernel, [{ ...row, data: { ...data, properties: { ...data.properties, ...properties } } }]);
}

/** Declares indexes and columns for all types, as the `catalog.json` of a profile does. */
export async function addToCatalog(
  kernel: Kernel,
  { indexes = [], columns = [] }: { indexes?: SiteIndex[]; columns?: SiteColumn[] },
): Promise<void> {
  const row = (kind: string) => (data: SiteIndex | SiteColumn) => ({ kind, id: data.name, position: 0, data });
  await configure(kernel, [...indexes.map(row(KINDS.index)), ...columns.map(row(KINDS.column))]);
}

const field = (type: string, factory: string, more: Partial<Property> = {}): Property => ({
  title: factory,
  type,
  factory,
  ...more,
});

/** Fields of all kinds that an index can be made of. */
export const integerField = (more?: Partial<Property>) => field('integer', 'Integer', more);
export const numberField = (more?: Partial<Property>) => field('number', 'Floating-point number', more);
export const textField = (more?: Partial<Property>) => field('string', 'Text line (String)', more);
export const longTextField = (more?: Partial<Property>) => field('string', 'Text', more);
export const listField = (more?: Partial<Property>) => field('array', 'Tuple', { items: { type: 'string' }, ...more });
export const dateTimeField = (more?: Partial<Property>) =>
  field('string', 'Date/Time', { widget: 'datetime', ...more });
export const dateField = (more?: Partial<Property>) => field('string', 'Date', { widget: 'date', ...more });
export const flagField = (more?: Partial<Property>) => field('boolean', 'Yes/No', more);
export const choiceField = (more?: Partial<Property>) => field('string', 'Choice', more);
export const relationField = (more?: Partial<Property>) => field('array', 'Relation List', more);

/** A type with nothing but fields. */
export const declaringType = (id: string, properties: Record<string, object>) => ({
  ...{ id, title: id, behaviors: [], global_allow: true, filter_content_types: false, allowed_content_types: [] },
  ...{ workflow: null, layouts: ['view'], fieldsets: [], required: [], properties },
});
