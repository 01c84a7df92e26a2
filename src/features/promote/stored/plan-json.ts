import { type Static, Type } from 'typebox';
import { schemas } from '#core';
import { isJsonObject } from '#lib/json-object';
import { DAY_MS } from '#lib/time/milliseconds';
import { jobUrl } from '../../jobs/job-json.ts';
import { ConflictsBody, ReportBody } from '../forms/report-body.ts';
import type { StoredPlan } from '../statements/plans.ts';

/** Milliseconds that a plan stays after the last part, or after it was applied. */
export const PLAN_STAYS_MS = 7 * DAY_MS;

const Problem = Type.Object({
  status: Type.Integer({ description: 'The status that a plan of one request would have had.' }),
  type: Type.String(),
  message: Type.String(),
  conflicts: Type.Optional(ConflictsBody),
});

/** A stored plan in responses. */
export const PlanBody = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String({ format: 'uuid' }),
  state: Type.Enum(['open', 'waiting', 'applied', 'failed'], {
    description: '`open`: parts may come. `waiting`: its job waits or runs. `failed`: nothing was applied.',
  }),
  entries: Type.Integer({ description: 'How many came.' }),
  bytes: Type.Integer({ description: 'Bytes of entries and files.' }),
  created: Type.String({ format: 'date-time' }),
  expires: Type.String({ format: 'date-time', description: 'When it is removed unless something happens to it.' }),
  job: schemas.Nullable(
    Type.String({ format: 'uri', description: 'The job that applies it, or has applied it last.' }),
  ),
  conflicts: schemas.Nullable(Type.String({ description: 'The rule that it is applied by.' })),
  only_check: Type.Boolean({ description: 'Its report says what would happen: nothing was done.' }),
  report: schemas.Nullable(ReportBody),
  problem: schemas.Nullable(Problem),
});

/** The problem of a plan whose job has ended without a report. */
const ENDED: Static<typeof Problem> = {
  status: 503,
  type: 'ServiceUnavailable',
  message: 'Its job has ended before the plan was applied. Nothing was done: apply it again.',
};

/** Represents a stored plan. */
export function planJson(base: string, plan: StoredPlan): Static<typeof PlanBody> {
  const isStopped = plan.state === 'waiting' && !plan.atWork;
  const stored: unknown = plan.report === null ? undefined : JSON.parse(plan.report);
  const { report, problem } = isJsonObject(stored) ? stored : {};
  return {
    '@id': `${base}/@promotion/plans/${plan.id}`,
    id: plan.id,
    state: isStopped ? 'failed' : plan.state,
    entries: plan.entries,
    bytes: plan.bytes,
    created: plan.created.toISOString(),
    expires: new Date(plan.changed.getTime() + PLAN_STAYS_MS).toISOString(),
    job: plan.job === null ? null : jobUrl(base, plan.job),
    conflicts: plan.rule,
    only_check: plan.onlyCheck === true,
    report: isReport(report) ? report : null,
    problem: isStopped ? ENDED : isProblem(problem) ? problem : null,
  };
}

// The texts were stored by this program, and responses are checked against their schema.
const isReport = (value: unknown): value is Static<typeof ReportBody> => isJsonObject(value);
const isProblem = (value: unknown): value is Static<typeof Problem> => isJsonObject(value);
