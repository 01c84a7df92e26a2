import { callers, contentPath, contentRows, indexing, type Site } from '#core';
import { loadBatches } from '#lib/batches';
import { ExportRefused } from '../format.ts';
import { connectRows } from '../statements/insert.ts';
import {
  containerAt,
  giveNumbers,
  insertPartRows,
  newNumbers,
  openNumbers,
  type PartMove,
  takenUids,
} from '../statements/part.ts';
import { type ExportedTable, isInParts } from '../tables.ts';
import type { OwnImport, OwnSummary } from './import-run.ts';
import { addNeededTypes } from './needed-types.ts';
import { batchesOf } from './read-lines.ts';

/** Finds the new place of the part. Throws ExportRefused when the part cannot be there. */
async function findPlace({ tx, source }: OwnImport, site: Site, into: string | undefined): Promise<PartMove> {
  const from = source.manifest.path;
  const name = contentPath.names(from).at(-1) ?? '';
  const parent = into ?? contentPath.parent(from) ?? contentPath.ROOT;
  await contentRows.lock(tx, [parent], 'exclusive');
  const container = await containerAt(tx, parent);
  if (!container)
    throw new ExportRefused(`There is nothing at ${parent}. Make the folder, or name another one with --path.`);
  if (!site.types.get(container.type)?.folderish)
    throw new ExportRefused(`What is at ${parent} takes no content. Name a folder with --path.`);
  const to = contentPath.child(parent, name);
  if (await containerAt(tx, to))
    throw new ExportRefused(`There is content at ${to} already. Remove it, or name another folder with --path.`);
  return { from, to, name, container: container.oid };
}

/** Gives the objects new numbers. Throws ExportRefused when one of them is on the site already. */
async function number({ tx, source }: OwnImport): Promise<void> {
  await openNumbers(tx);
  for await (const rows of batchesOf(source.rows('content'))) {
    const taken = await takenUids(tx, rows);
    if (taken.length > 0)
      throw new ExportRefused(
        `Content of the export is on the site already: ${taken.map(({ path }) => path).join(', ')}. Remove it first: what is imported keeps its UIDs.`,
      );
    await giveNumbers(tx, rows);
  }
}

/** Writes the rows of a table, and reports rows that are left out. */
async function writeTable(
  run: OwnImport,
  { table, shape }: ExportedTable,
  move: PartMove,
  left: string[],
): Promise<void> {
  const { tx, source, secrets, progress } = run;
  let given = 0;
  let written = 0;
  for await (const batch of batchesOf(source.rows(table.name))) {
    const rows = batch.flatMap((row) => secrets.restore(table, row) ?? []);
    if (rows.length === 0) continue;
    given += rows.length;
    written += await insertPartRows(tx, table, shape, { rows, move });
    if (table.name === 'content') progress.tick(rows.length, 'content');
  }
  const { within } = table;
  if (within !== undefined)
    for await (const rows of batchesOf(source.rows(table.name))) await connectRows(tx, table, within, rows);
  if (written < given)
    left.push(
      `${given - written} of ${given} rows of ${table.name} are left out: what they refer to is not here, or their key is taken.`,
    );
}

/** Emits the events of the new content. */
async function announce({ kernel, tx }: OwnImport, site: Site): Promise<void> {
  const limit = 200;
  for await (const oids of loadBatches<number>(limit, (last = 0) => newNumbers(tx, last, limit)))
    await kernel.events.emit('content.imported', { oids: [...oids], site }, { tx, caller: callers.ANONYMOUS });
}

/**
 * Imports a part of a site, at its old place or into the folder `into`. Returns its path. @throws ExportRefused when the part cannot be there, or
 * some of its content is on the site already
 */
export async function importPart(
  run: OwnImport,
  into: string | undefined,
  { added, left }: Pick<OwnSummary, 'added' | 'left'>,
): Promise<string> {
  const { kernel, tx, source, tables, progress } = run;
  const before = await kernel.sites.within(tx);
  const move = await findPlace(run, before, into);
  const site = await addNeededTypes(run, before, added);
  await number(run);
  for (const one of tables.kept) {
    if (isInParts(one.table) && (source.manifest.tables[one.table.name] ?? 0) > 0)
      await writeTable(run, one, move, left);
  }
  await indexing.writeCatalogBelow(tx, site, move.to, (objects) => progress.tick(objects, 'catalog'));
  await announce(run, site);
  return move.to;
}
