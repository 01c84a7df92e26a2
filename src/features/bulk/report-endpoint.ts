import { Type } from 'typebox';
import {
  batching,
  defineService,
  has,
  MANAGE_PORTAL,
  ok,
  type RequestContext,
  requests,
  type Site,
  schemas,
} from '#core';
import { NotFound } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { isUuid } from '#lib/text/uuid';
import { itemJson, StoredReport, totalsJson } from './report.ts';
import { countOutcomes, findBulkChange, OUTCOMES, reportedObjects } from './statements.ts';

/** Says if the caller sees the changes of all users. */
const managesJobs = ({ site, caller, resolved }: RequestContext): boolean => has(site, caller, resolved, MANAGE_PORTAL);

/** The outcomes of objects, with `pending` for objects that are still to be changed. */
const OUTCOME = [...OUTCOMES, 'pending'] as const;
type OutcomeName = (typeof OUTCOME)[number];
const outcomeOf = (text: string | null): OutcomeName => OUTCOME.find((name) => name === text) ?? 'pending';

/** The name of a stored change. */
const nameOf = (data: unknown): string =>
  isJsonObject(data) && isJsonObject(data.change) ? (Object.keys(data.change)[0] ?? '') : '';

/** GET `@bulk/<id>`: the report of a change that a job makes. */
export const getBulk = defineService({
  name: '@bulk',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'The report of a change of many objects, for its user and for managers.',
  rest: ['{id}'],
  query: Type.Object({
    ...batching.Query('objects', { size: 100, most: 1000 }),
    outcome: Type.Optional(schemas.Choice([...OUTCOME], { description: 'Only objects with this outcome.' })),
  }),
  responses: {
    200: { description: 'The report.', schema: StoredReport },
    401: { description: 'The caller is not logged in.' },
    404: { description: 'There is no such change, or it is that of another user.' },
  },
  async run(context) {
    const { db, base, caller, site, params, query, searchParams } = context;
    const actor = managesJobs(context) ? undefined : (caller.id ?? '');
    const found = isUuid(params.id) ? await findBulkChange(db, params.id, actor) : undefined;
    if (!found) throw new NotFound(`/@bulk/${params.id}`, 'There is no change of many objects with this id.');
    const { b_start: start, b_size: size, outcome } = query;
    const counts = await countOutcomes(db, found.id);
    const rows = await reportedObjects(db, found.id, { outcome, start, size });
    const total = outcome === undefined ? totalOf(counts) : counts[outcome];
    const url = `${base}/@bulk/${found.id}`;
    return ok({
      '@id': url,
      ...{ change: nameOf(found.data), actor: found.actor, created: found.created.toISOString() },
      ...totalsJson(counts),
      pending: counts.pending,
      items: rows.map((row) => itemOf(site, base, row)),
      items_total: total,
      ...batching.linksOf(url, { start, size, query: searchParams }, total),
    });
  },
});

const totalOf = ({ changed, unchanged, refused, pending }: Record<OutcomeName, number>): number =>
  changed + unchanged + refused + pending;

const itemOf = (site: Site, base: string, row: Awaited<ReturnType<typeof reportedObjects>>[number]) =>
  itemJson(site, base, { ...row, outcome: outcomeOf(row.outcome) });
