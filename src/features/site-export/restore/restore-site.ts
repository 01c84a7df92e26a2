import { configuration, contentRows, indexing, type Queryable } from '#core';
import { ExportRefused } from '../format.ts';
import { connectRows, emptyTable, insertRows, siteUse } from '../statements/insert.ts';
import { continueNumbers } from '../statements/tables.ts';
import type { ExportedTable } from '../tables.ts';
import type { OwnImport } from './import-run.ts';
import { batchesOf } from './read-lines.ts';

/** Rows of a table in the form for the site, in batches. */
async function* keptRows({ source, secrets }: OwnImport, { table }: ExportedTable): AsyncGenerator<string[]> {
  for await (const batch of batchesOf(source.rows(table.name))) {
    const rows = batch.flatMap((row) => secrets.restore(table, row) ?? []);
    if (rows.length > 0) yield rows;
  }
}

/** Throws ExportRefused when the site is in use. */
export async function requireNew(db: Queryable): Promise<void> {
  const { objects, accounts, untouched } = await siteUse(db);
  if (objects > 1 || accounts > 1 || !untouched)
    throw new ExportRefused(
      'The site is in use: it has content, users or changes of its own. Import into a new site, or give --replace to remove everything that is there.',
    );
}

/**
 * Imports a whole site: the exported rows replace the rows of this site, with the same numbers. @throws ExportRefused when the site is in use, unless
 * `replace` is true
 */
export async function restoreSite(run: OwnImport, replace: boolean): Promise<void> {
  const { kernel, tx, source, tables, progress } = run;
  const { manifest } = source;
  const known = new Set(tables.kept.map(({ table }) => table.name));
  const unknown = Object.keys(manifest.tables).filter((name) => !known.has(name) && manifest.tables[name] !== 0);
  if (unknown.length > 0)
    throw new ExportRefused(
      `The export has rows of ${unknown.join(', ')}, which this server does not know. Import it with the version of Canopy and the packages that the site had.`,
    );
  await configuration.lockSetup(tx);
  await contentRows.lock(tx, ['/'], 'exclusive');
  const before = await configuration.lock(tx);
  if (!replace) await requireNew(tx);
  for (const { table } of [...tables.kept].reverse()) await emptyTable(tx, table.name);
  for (const one of tables.kept) {
    for await (const rows of keptRows(run, one)) {
      await insertRows(tx, one.table, one.shape, rows);
      if (one.table.name === 'content') progress.tick(rows.length, 'content');
    }
  }
  for (const { table } of tables.kept) {
    const { within } = table;
    if (within === undefined) continue;
    for await (const rows of batchesOf(source.rows(table.name))) await connectRows(tx, table, within, rows);
  }
  for (const [column, last] of Object.entries(manifest.numbers)) {
    const [table = '', name = ''] = column.split('.');
    const shape = tables.kept.find((one) => one.table.name === table)?.shape;
    if (shape?.columns.some((one) => one.name === name && one.identity)) await continueNumbers(tx, table, name, last);
  }
  await configuration.raiseVersion(tx, before);
  await configuration.write(tx, []);
  const site = await kernel.sites.within(tx);
  await indexing.writeCatalogBelow(tx, site, '/', (objects) => progress.tick(objects, 'catalog'));
}
