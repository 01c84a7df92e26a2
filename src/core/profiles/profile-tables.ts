import type { Transaction } from '../../database/database.ts';
import type { ConfigurationRow } from '../configuration/statements/configuration.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type LeftOut, PROFILE_TABLES, type ProfileTable, type TableChange } from '../kernel/profile-table.ts';

type Row = { kind: string; id: string };

/** The table that stores the pieces of a kind; undefined for pieces of the configuration. */
export const tableOf = ({ slots }: Pick<Kernel, 'slots'>, { kind }: { kind: string }): ProfileTable | undefined =>
  slots.get(PROFILE_TABLES).get(kind);

/** Groups rows by the tables that store them. */
function byTable<R extends Row>(kernel: Kernel, rows: readonly R[]): [ProfileTable, R[]][] {
  const tables = [...kernel.slots.get(PROFILE_TABLES).values()];
  return tables
    .map((table): [ProfileTable, R[]] => [table, rows.filter(({ kind }) => kind === table.kind)])
    .filter(([, own]) => own.length > 0);
}

/** Loads from the site the named rows that are stored in tables of their own; all rows of these tables unless rows are named. */
export async function loadTableRows(
  kernel: Kernel,
  tx: Transaction,
  rows?: readonly Row[],
): Promise<ConfigurationRow[]> {
  const found: ConfigurationRow[] = [];
  for (const table of kernel.slots.get(PROFILE_TABLES).values()) {
    const own = rows?.filter(({ kind }) => kind === table.kind).map(({ id }) => id);
    const ids = own ? [...new Set(own)] : ((await table.ids?.(tx)) ?? []);
    if (ids.length === 0) continue;
    for (const { id, data } of await table.load(kernel, tx, ids))
      found.push({ kind: table.kind, id, position: 0, data });
  }
  return found;
}

/** Writes the rows that are stored in tables of their own. Returns the parts that were left out. Throws BadRequest. */
export async function writeTableRows(
  change: TableChange,
  rows: readonly (Row & { data: unknown; file?: string | undefined })[],
): Promise<(Row & LeftOut)[]> {
  const leftOut: (Row & LeftOut)[] = [];
  for (const [table, own] of byTable(change.kernel, rows)) {
    const pieces = own.map(({ id, data, file = table.noun }) => ({
      ...{ id, file },
      data: table.complete(change.kernel, id, data),
    }));
    for (const one of await table.write(change, pieces)) leftOut.push({ kind: table.kind, ...one });
  }
  return leftOut;
}

/** Removes the rows that are stored in tables of their own. */
export async function removeTableRows(change: TableChange, rows: readonly Row[]): Promise<void> {
  for (const [table, own] of byTable(change.kernel, rows))
    await table.remove(
      change,
      own.map(({ id }) => id),
    );
}
