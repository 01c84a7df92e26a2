import type { Queryable, Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';

/** Kinds of lines in the report of an uploaded export. */
export const LINE_KINDS = ['problem', 'change', 'conflict'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A line of a report. `mark` stands for it: the same line is stored once. */
export type ReportLine = { kind: LineKind; effect: string | null; mark: string; line: JsonObject };

/** Lines that one statement inserts. */
const CHUNK_SIZE = 1000;

/** Stores lines of a report, in their order. A line that is there already stays. */
export async function insertLines(tx: Transaction, id: string, lines: readonly ReportLine[]): Promise<void> {
  for (let at = 0; at < lines.length; at += CHUNK_SIZE)
    await tx.query({
      name: 'site-import-insert-lines',
      text: `insert into site_import_line (import, kind, effect, mark, line)
        select $1::uuid, l.value->>'kind', l.value->>'effect', l.value->>'mark', l.value->'line'
        from jsonb_array_elements($2::jsonb) with ordinality l(value, number) order by l.number
        on conflict (import, mark) do nothing`,
      values: [id, JSON.stringify(lines.slice(at, at + CHUNK_SIZE))],
    });
}

/** Removes the lines of a report. */
export async function deleteLines(tx: Transaction, id: string): Promise<void> {
  await tx.query({
    name: 'site-import-delete-lines',
    text: 'delete from site_import_line where import = $1::uuid',
    values: [id],
  });
}

/** Counts the problems of a report by their reasons. */
export async function countReasons(db: Queryable, id: string): Promise<Record<string, number>> {
  const rows = await db.query<{ reason: string; lines: number }>({
    name: 'site-import-count-reasons',
    text: `select line->>'reason' as reason, count(*)::int as lines from site_import_line
      where import = $1::uuid and kind = 'problem' group by 1`,
    values: [id],
  });
  return Object.fromEntries(rows.map(({ reason, lines }) => [reason, lines]));
}

/** A part of the lines of a report: of one kind, and of one effect if given. */
export const listLines = (
  db: Queryable,
  id: string,
  { kind, effect, start, size }: { kind: LineKind; effect: string | undefined; start: number; size: number },
): Promise<JsonObject[]> =>
  db
    .query<{ line: JsonObject }>({
      name: 'site-import-list-lines',
      text: `select line from site_import_line where import = $1::uuid and kind = $2 and ($3::text is null or effect = $3)
        order by number offset $4::bigint limit $5::bigint`,
      values: [id, kind, effect ?? null, start, size],
    })
    .then((rows) => rows.map(({ line }) => line));

/** Counts the lines of one kind, and of one effect if given. */
export async function countListed(
  db: Queryable,
  id: string,
  { kind, effect }: { kind: LineKind; effect: string | undefined },
): Promise<number> {
  const [row] = await db.query<{ lines: number }>({
    name: 'site-import-count-listed',
    text: `select count(*)::int as lines from site_import_line
      where import = $1::uuid and kind = $2 and ($3::text is null or effect = $3)`,
    values: [id, kind, effect ?? null],
  });
  return row?.lines ?? 0;
}
