import type { JsonObject } from '../../lib/json-object.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import { summary } from '../../serializer/summary.ts';
import type { ServiceResponse } from '../../services/service.ts';
import { findTargets } from '../../storage/statements/references.ts';
import type { RelationFailure } from './relation-change.ts';
import type { BrokenRelation, RelationPair } from './statements.ts';

type Frame = Record<string, { items: unknown[]; items_total: number }>;

/** Rows of several relations under their names. */
function byName<R extends { relation: string; total: number }>(rows: readonly R[], item: (row: R) => unknown): Frame {
  const frame: Frame = {};
  for (const row of rows) {
    const entry = frame[row.relation] ?? { items: [], items_total: row.total };
    entry.items.push(item(row));
    frame[row.relation] = entry;
  }
  return frame;
}

/** References with summaries of their ends. One statement for all ends. */
export async function pairsJson(context: RenderContext, pairs: readonly RelationPair[]): Promise<Frame> {
  const { db, site, base, metadataFields } = context;
  const uids = [...new Set(pairs.flatMap(({ source, target }) => [source, target]))];
  const rows = uids.length === 0 ? [] : await findTargets(db, uids);
  const ends = new Map(rows.map((row) => [row.uid, { ...summary(site, base, row, metadataFields), UID: row.uid }]));
  const present = pairs.filter(({ source, target }) => ends.has(source) && ends.has(target));
  return byName(present, ({ source, target }) => ({ source: ends.get(source), target: ends.get(target) }));
}

/** References that lead nowhere: address of the source, UID of what is gone. */
export const brokenJson = ({ base }: RenderContext, rows: readonly BrokenRelation[]): Frame =>
  byName(rows, ({ path, target }) => [urlOf(base, path), target]);

/** 204, or 422 with what was not done (plone.restapi). */
export function changeResponse(failures: readonly RelationFailure[], doing: 'creating' | 'deleting'): ServiceResponse {
  if (failures.length === 0) return { status: 204 };
  const error: JsonObject = {
    type: 'Unprocessable Content',
    message: `Failed on ${doing} relations`,
    failed: failures.map(({ item, reason }) => [item, `Failed on ${doing} a relation. ${reason}`]),
  };
  return { status: 422, body: { type: error.type, message: error.message, error } };
}
