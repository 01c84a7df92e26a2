import { type Feature, KERNEL_FEATURES, type Kernel, type Queryable } from '#core';
import { type TableShape, tableShapes } from './statements/tables.ts';

/** A feature's declaration of a table. */
type SiteTable = NonNullable<Feature['tables']>[number];

/** A table whose rows are exported. */
export type KeptTable = Exclude<SiteTable, { left: string }>;

/** A table that an export has, with its columns in this database. */
export type ExportedTable = { table: KeptTable; shape: TableShape };

/** All tables of the database by their treatment in an export. */
export type SiteTables = {
  /** Exported tables; a table comes after the tables that it refers to. */
  kept: readonly ExportedTable[];
  left: readonly Exclude<SiteTable, KeptTable>[];
  /** Tables that no feature declares, such as tables of a package that is not loaded. */
  unknown: readonly string[];
};

/** Says if the rows of a table are exported. */
export const isKept = <T extends SiteTable>(table: T): table is T & KeptTable => 'key' in table;

/** The declarations of tables by the features of a kernel. */
const declaredTables = ({ slots }: Pick<Kernel, 'slots'>): SiteTable[] =>
  slots.get(KERNEL_FEATURES).flatMap(({ tables = [] }) => tables);

/** The tables of the database. */
export async function loadTables(kernel: Kernel, db: Queryable): Promise<SiteTables> {
  const declared = new Map(declaredTables(kernel).map((table) => [table.name, table]));
  const shapes = await tableShapes(db);
  const present = shapes.flatMap(({ name }) => declared.get(name) ?? []);
  const kept = present.filter(isKept);
  return {
    kept: inOrder(shapes, kept),
    left: present.flatMap((table) => (isKept(table) ? [] : [table])),
    unknown: shapes.map(({ name }) => name).filter((name) => !declared.has(name)),
  };
}

/** Sorts tables so that each comes after the tables that its rows refer to. */
function inOrder(shapes: readonly TableShape[], kept: readonly KeptTable[]): ExportedTable[] {
  const sorted: ExportedTable[] = [];
  const done = new Set<string>();
  const byName = new Map(kept.map((table) => [table.name, table]));
  const shapeOf = new Map(shapes.map((shape) => [shape.name, shape]));
  const add = (table: KeptTable): void => {
    const shape = shapeOf.get(table.name);
    if (!shape || done.has(table.name)) return;
    done.add(table.name);
    for (const { parent } of shape.keys) {
      const before = byName.get(parent);
      if (before) add(before);
    }
    sorted.push({ table, shape });
  };
  for (const table of kept) add(table);
  return sorted;
}

/** True if the export of a part of a site has rows of the table, because they belong to content. */
export const isInParts = ({ content }: KeptTable): boolean => content !== undefined;
