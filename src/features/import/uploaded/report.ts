import { type Static, Type } from 'typebox';
import { schemas } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { OwnSummary } from '../../site-export/restore/import-run.ts';
import { CONFLICT_RULES, type ImportedChange } from '../again/log.ts';
import { EFFECTS, REASON_NAMES, REASONS } from '../import-reasons.ts';
import type { ImportSummary } from '../import-summary.ts';
import { withoutOptions } from './import-options.ts';

/** Things that a report counts, in their order. */
const COUNTED = ['objects', 'files', 'users', 'groups', 'redirects', 'translations', 'relations', 'comments'] as const;

/** Maximum number of types, and of additions to types, in a report. */
const MAX_TYPES = 1000;

/** The counts of an import, or of a dry run. */
export const Report = Type.Object({
  dry_run: Type.Boolean({ description: 'True if nothing was changed: the numbers are those of a real import.' }),
  refused: Type.Boolean({
    description: 'True if nothing was imported, because of conflicts or because something would be lost.',
  }),
  resumed: Type.Boolean({
    description: 'True if the process ended in between: what came before then counts as skipped.',
  }),
  format: Type.String({ description: 'The form of the export.' }),
  path: schemas.Nullable(Type.String(), { description: 'Where an exported part of a site of this server is now.' }),
  counts: Type.Array(
    Type.Object({
      name: Type.Enum([...COUNTED]),
      created: Type.Integer(),
      skipped: Type.Integer(),
      failed: Type.Integer(),
    }),
  ),
  types: Type.Array(Type.String(), { description: 'Ids of content types that were made.' }),
  added: Type.Array(
    Type.Object({
      type: Type.String(),
      behaviors: Type.Array(Type.String()),
      fields: Type.Array(Type.Object({ name: Type.String(), kind: Type.String() })),
      layouts: Type.Array(Type.String()),
    }),
    { description: 'What content types of the site got.' },
  ),
  reasons: Type.Array(
    Type.Object({
      reason: Type.String(),
      effect: Type.Enum([...EFFECTS]),
      title: Type.String(),
      advice: schemas.Nullable(Type.String()),
      count: Type.Integer(),
    }),
    { description: 'What is not as it was exported, the worst first.' },
  ),
  again: schemas.Nullable(
    Type.Object({
      conflicts: Type.Enum([...CONFLICT_RULES]),
      counts: Type.Record(Type.String(), Type.Integer()),
    }),
    { description: 'The differences from the last import of the same site.' },
  ),
});
export type Report = Static<typeof Report>;

type Job = { dryRun: boolean; resumed: boolean };

/** The report of an import by a reader. `counts` are the numbers of problems by their reasons. */
export const reportOf = (
  summary: ImportSummary,
  counts: Readonly<Record<string, number>>,
  { dryRun, resumed }: Job,
): Report => ({
  ...{ dry_run: dryRun, refused: summary.refused, resumed, format: summary.format, path: null },
  counts: COUNTED.map((name) => ({ name, ...summary[name] })),
  types: summary.types.slice(0, MAX_TYPES),
  added: summary.added.slice(0, MAX_TYPES),
  reasons: REASON_NAMES.flatMap((reason) => {
    const count = counts[reason] ?? 0;
    const known = REASONS[reason];
    const advice = 'advice' in known ? withoutOptions(known.advice) : null;
    return count === 0 ? [] : [{ reason, effect: known.effect, title: known.title, advice, count }];
  }),
  again: summary.again && { conflicts: summary.again.rule, counts: { ...summary.again.counts } },
});

/** The report of an import of an export that this server has made. */
export function reportOfOwn(
  { path, objects, files, added, left, kept }: OwnSummary & { kept: boolean },
  { dryRun, resumed }: Job,
): Report {
  const created = (count: number) => ({ created: count, skipped: 0, failed: 0 });
  const zero = created(0);
  const reasons: Report['reasons'] = [
    { reason: 'lost', effect: 'lost' as const, title: 'parts that were left out', advice: null, count: left.length },
    {
      reason: 'added',
      effect: 'added' as const,
      title: 'types, fields and views added',
      advice: null,
      count: added.length,
    },
  ];
  return {
    ...{
      dry_run: dryRun,
      refused: !kept && !dryRun,
      resumed,
      format: 'canopy',
      path,
      types: [],
      added: [],
      again: null,
    },
    counts: COUNTED.map((name) => ({
      name,
      ...(name === 'objects' ? created(objects) : name === 'files' ? created(files) : zero),
    })),
    reasons: reasons.filter(({ count }) => count > 0),
  };
}

/** The effects by which the lines of a report can be chosen. */
const CHANGES: readonly ImportedChange['change'][] = ['added', 'changed', 'moved', 'removed', 'reordered'];
export const LINE_EFFECTS = [...new Set<string>([...EFFECTS, ...CHANGES, 'here', 'there'])];

const Text = (description: string) => Type.Optional(schemas.Nullable(Type.String(), { description }));

/** A line of a report: a problem, a change or a conflict. */
export const Line = Type.Object(
  {
    path: schemas.Nullable(Type.String(), { description: 'The path of the content, as exported.' }),
    reason: Type.Optional(Type.String({ description: 'Of a problem: one of `reasons`.' })),
    effect: Type.Optional(Type.Enum([...EFFECTS])),
    file: Text('The file in the export.'),
    key: Text('The field or setting.'),
    message: Type.Optional(Type.String()),
    change: Type.Optional(Type.String({ description: 'Of a change since the last import.' })),
    parts: Type.Optional(Type.Array(Type.String(), { description: 'Fields and settings that change.' })),
    from: Text('The former path of what moves.'),
    uid: Type.Optional(Type.String()),
    part: Type.Optional(Type.String({ description: 'Of a conflict: the field or setting.' })),
    block: Text('The block in a field of blocks.'),
    here: Type.Optional(Type.Unknown({ description: 'The value of the site.' })),
    there: Type.Optional(Type.Unknown({ description: 'The value of the export.' })),
    counts: Text('The side that counts: `here` or `there`.'),
  },
  { description: 'A problem, a change or a conflict.' },
);

/** A report as the table has it. */
export const storedReport = (report: Report): JsonObject => ({ ...report });
