import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { defineService, type ServiceResponse } from '../../services/service.ts';
import type { HealthCheck, HealthStatus, Observation } from '../../site/health-checks.ts';
import type { Kernel } from '../../site/kernel.ts';
import { programVersion } from './system.ts';

/** An observation with the time at which it was made. */
export type Observed = Observation & { time: Date };

/** Milliseconds after which a check that has not answered has failed. */
const TIMEOUT = 3000;
const KEEP = 2000;

type Kept = { running?: Promise<Observed>; last?: Observed };

const kept = new WeakMap<Kernel, Map<HealthCheck, Kept>>();

function keptOf(kernel: Kernel, check: HealthCheck): Kept {
  const ofKernel = kept.get(kernel) ?? new Map<HealthCheck, Kept>();
  kept.set(kernel, ofKernel);
  const state = ofKernel.get(check) ?? {};
  ofKernel.set(check, state);
  return state;
}

/** Makes an observation; a failure of the check is one, too, and goes to the log. */
async function observe(kernel: Kernel, name: string, check: HealthCheck): Promise<Observed> {
  try {
    return { ...(await check.observe(kernel)), time: new Date() };
  } catch (error) {
    kernel.log.error({ err: error, check: name }, 'a health check failed');
    return { status: 'fail', output: error instanceof Error ? error.message : String(error), time: new Date() };
  }
}

/** Resolves with a failure when the check takes too long. The timer does not keep the process alive. */
async function inTime(running: Promise<Observed>): Promise<Observed> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Observed>((resolve) => {
    const output = `No answer within ${TIMEOUT / 1000} seconds`;
    timer = setTimeout(() => resolve({ status: 'fail', output, time: new Date() }), TIMEOUT).unref();
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The present observation of a check. It is made by one caller at a time and kept a while, so that asking often costs
 * nothing; one that hangs is not begun a second time.
 */
export async function keptObservation(kernel: Kernel, name: string, check: HealthCheck): Promise<Observed> {
  const state = keptOf(kernel, check);
  if (state.last && Date.now() - state.last.time.getTime() < (check.keep ?? KEEP)) return state.last;
  state.running ??= observe(kernel, name, check).then((observed) => {
    state.last = observed;
    delete state.running;
    return observed;
  });
  return inTime(state.running);
}

/** One check in the answer. */
type CheckResult = Observation & { componentType: string; time: string };

/** The health of the process in the format of draft-inadarei-api-health-check. */
type Health = { status: HealthStatus; version?: string; checks: Record<string, CheckResult[]> };

const worst = (statuses: HealthStatus[]): HealthStatus => {
  if (statuses.includes('fail')) return 'fail';
  return statuses.includes('warn') ? 'warn' : 'pass';
};

/**
 * Runs all checks side by side; answers within some seconds, whatever hangs. `details` are the version and what is
 * wrong: for managers only.
 */
export async function readHealth(kernel: Kernel, { details }: { details: boolean }): Promise<Health> {
  const results = await Promise.all(
    [...kernel.healthChecks].map(async ([name, check]): Promise<[string, CheckResult]> => {
      const { output, time, ...observed } = await keptObservation(kernel, name, check);
      const result = { componentType: check.componentType, ...observed, time: time.toISOString() };
      return [name, details && output !== undefined ? { ...result, output } : result];
    }),
  );
  return {
    status: worst(results.map(([, { status }]) => status)),
    ...(details ? { version: programVersion() } : {}),
    checks: Object.fromEntries(results.map(([name, result]) => [name, [result]])),
  };
}

/** The media type of health checks (draft-inadarei-api-health-check). */
export const HEALTH_JSON = 'application/health+json';

/**
 * The answer about the health of this process: 503 takes it out of service at a load balancer. It needs no more than the
 * kernel, and so is there when the database is not. `base` is the address of the site root; `details` are for managers.
 */
export async function healthResponse(
  kernel: Kernel,
  base: string,
  details: { details: boolean },
): Promise<ServiceResponse> {
  const health = await readHealth(kernel, details);
  return {
    status: health.status === 'fail' ? 503 : 200,
    headers: { 'Cache-Control': 'no-store' },
    contentType: HEALTH_JSON,
    body: { '@id': `${base}/@health`, ...health },
  };
}

const Status = Type.Union([Type.Literal('pass'), Type.Literal('warn'), Type.Literal('fail')]);
const Check = Type.Object({
  componentType: Type.String(),
  observedValue: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  observedUnit: Type.Optional(Type.String()),
  status: Status,
  time: Type.String({ format: 'date-time' }),
  output: Type.Optional(Type.String({ description: 'What is wrong; for managers only.' })),
});
const HealthBody = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  status: Status,
  version: Type.Optional(Type.String({ description: 'Version of the program; for managers only.' })),
  checks: Type.Record(Type.String(), Type.Array(Check)),
});

/** GET `@health`: whether the process can do its work, for monitors and load balancers. */
export const getHealth = defineService({
  name: '@health',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  summary: 'Whether the server can do its work, with the state of everything that it needs.',
  responses: {
    200: {
      description: 'It can; `warn` says that something needs attention.',
      schema: HealthBody,
      contentType: HEALTH_JSON,
    },
    503: { description: 'It cannot: a check failed.', schema: HealthBody, contentType: HEALTH_JSON },
  },
  answerEarly: (kernel, base) => healthResponse(kernel, base, { details: false }),
  run: ({ kernel, base, site, caller, resolved }) =>
    healthResponse(kernel, base, { details: has(site, caller, resolved, 'Overview control panel') }),
});
