import { contentRows } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { ExportRun } from '../export-run.ts';
import { PLONE_FILES } from '../format.ts';
import { type HistoryRow, historiesOf, parentsOf, versioned, versionRows } from '../statements/plone.ts';
import { readRows } from '../statements/rows.ts';
import { type ContentJson, itemFolder, itemJson, versionJson } from './item-json.ts';

function byContent(rows: readonly HistoryRow[]): Map<number, HistoryRow[]> {
  const histories = new Map<number, HistoryRow[]>();
  for (const row of rows) {
    const known = histories.get(row.content);
    if (known) known.push(row);
    else histories.set(row.content, [row]);
  }
  return histories;
}

/**
 * The JSON of an object with its older versions, in pieces, because together they may be large. Their files are added to `places`. The object itself
 * stands for the newest version, also if it was changed without a version.
 */
async function* withVersions(
  { kernel, site, tx }: ExportRun,
  object: ContentJson,
  json: JsonObject,
  hasVersions: boolean,
  places: Map<string, string>,
): AsyncGenerator<string> {
  yield JSON.stringify(json, null, 1).slice(0, -2);
  const { effective, expires, language, layout } = object;
  let values: JsonObject = { ...object.fields, effective, expires, language, layout };
  let separator = ',\n "exportimport.versions": {';
  let isNewest = true;
  for await (const { replaced, ...version } of hasVersions ? versionRows(tx, object.oid) : []) {
    values = { ...values, ...replaced };
    if (isNewest) {
      yield `,\n "changeNote": ${JSON.stringify(version.note)},\n "changeActor": ${JSON.stringify(version.actor)}`;
      isNewest = false;
      continue;
    }
    const old = versionJson({ kernel, site }, object, { ...version, values });
    for (const { file, place } of old.files) places.set(place, file.hash);
    yield `${separator}\n${JSON.stringify(String(version.number))}: ${JSON.stringify(old.json)}`;
    separator = ',';
  }
  yield separator === ',' ? '}\n}\n' : ',\n "exportimport.versions": {}\n}\n';
}

/** An object from the text of its row. */
function parseRow(row: string): ContentJson {
  const columns: ContentJson & contentRows.FieldColumns = JSON.parse(row);
  return { ...columns, fields: contentRows.joinFields(columns) };
}

/** Writes each object with its files in plone.exportimport's format. */
export async function writeItems(run: ExportRun): Promise<void> {
  const { kernel, site, tx, tables, path, target, files, progress } = run;
  const content = tables.kept.find(({ table }) => table.name === 'content');
  if (!content) throw new Error('No feature has the table of content');
  for await (const rows of readRows(tx, content.table, content.shape, path === '/' ? undefined : path)) {
    const objects = rows.map(parseRow);
    const histories = byContent(
      await historiesOf(
        tx,
        objects.map(({ oid }) => oid),
      ),
    );
    const withHistory = await versioned(
      tx,
      objects.map(({ oid }) => oid),
    );
    const parents = new Map(
      (await parentsOf(tx, [...new Set(objects.flatMap(({ parent }) => parent ?? []))])).map((row) => [row.oid, row]),
    );
    for (const object of objects) {
      const parts = { parent: parents.get(object.parent ?? 0), history: histories.get(object.oid) ?? [] };
      const item = itemJson({ kernel, site }, object, parts);
      const places = new Map(item.files.map(({ file, place }) => [place, file.hash]));
      const name = `${PLONE_FILES.content}/${itemFolder(object)}/${PLONE_FILES.item}`;
      await target.write(name, withVersions(run, object, item.json, withHistory.has(object.oid), places));
      for (const [place, hash] of places)
        await files.write({ hash, place: `${PLONE_FILES.content}/${place}`, of: object.path });
      progress.tick(1, object.path);
    }
  }
}
