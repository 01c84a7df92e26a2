import { type Static, Type } from 'typebox';
import { defineService, type HealthCheck, has, type Kernel, type ResultOf, schemas } from '#core';
import { messageOf } from '#lib/errors';
import { Slot } from '#lib/slots';
import { PROGRAM_VERSION } from './system.ts';

/** Observation of a check. */
export type Observation = Awaited<ReturnType<HealthCheck['observe']>>;

/** An observation with the time at which it was made. */
type TimedObservation = Observation & { time: Date };

/** Time after which a check that has not finished fails. */
const CHECK_TIMEOUT_MS = 3000;
/** Milliseconds for which an observation is reused unless its check says otherwise. */
const DEFAULT_KEEP_MS = 2000;

/** The state of one check: the running observation, and the last one. */
type CheckState = { running?: Promise<TimedObservation>; last?: TimedObservation };

/** The states of the checks of a kernel by their names. */
export const CHECK_STATES = new Slot<Map<string, CheckState>>('states of health checks');

/** Makes an observation. A check that throws counts as failed, and the first error of several in a row is logged. */
async function observe(
  kernel: Kernel,
  { name, check, last }: { name: string; check: HealthCheck; last: TimedObservation | undefined },
): Promise<TimedObservation> {
  try {
    return { ...(await check.observe(kernel)), time: new Date() };
  } catch (error) {
    if (last?.status !== 'fail') kernel.log.error({ err: error, check: name }, 'a health check failed');
    return { status: 'fail', output: messageOf(error), time: new Date() };
  }
}

/** Resolves with a failure when the check takes too long. The timer does not keep the process alive. */
async function withTimeout(running: Promise<TimedObservation>): Promise<TimedObservation> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<TimedObservation>((resolve) => {
    const output = `No answer within ${CHECK_TIMEOUT_MS / 1000} seconds`;
    timer = setTimeout(() => resolve({ status: 'fail', output, time: new Date() }), CHECK_TIMEOUT_MS).unref();
  });
  try {
    return await Promise.race([running, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The present observation of a check. Concurrent calls share an observation, and it is reused for a while, so that frequent requests cost nothing. A
 * check that hangs is not started a second time.
 */
async function currentObservation(kernel: Kernel, name: string, check: HealthCheck): Promise<TimedObservation> {
  const states = kernel.slots.get(CHECK_STATES);
  const state = states.get(name) ?? {};
  states.set(name, state);
  if (state.last && Date.now() - state.last.time.getTime() < (check.keep ?? DEFAULT_KEEP_MS)) return state.last;
  state.running ??= observe(kernel, { name, check, last: state.last }).then((observed) => {
    state.last = observed;
    delete state.running;
    return observed;
  });
  return withTimeout(state.running);
}

const Status = Type.Union([Type.Literal('pass'), Type.Literal('warn'), Type.Literal('fail')]);

/** One check in the response. */
const Check = Type.Object({
  componentType: Type.String(),
  observedValue: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  observedUnit: Type.Optional(Type.String()),
  status: Status,
  time: Type.String({ format: 'date-time' }),
  output: Type.Optional(Type.String({ description: 'What is wrong; for managers only.' })),
});

/** The health of the process in the format of draft-inadarei-api-health-check. */
const Health = Type.Object({
  status: Status,
  version: Type.Optional(Type.String({ description: 'Version of the program; for managers only.' })),
  checks: Type.Record(Type.String(), Type.Array(Check)),
});
type Health = Static<typeof Health>;

const worst = (statuses: Observation['status'][]): Observation['status'] => {
  if (statuses.includes('fail')) return 'fail';
  return statuses.includes('warn') ? 'warn' : 'pass';
};

/**
 * Runs all checks side by side; returns within seconds even if one hangs. `details` adds the version and the output of
 * checks, which only managers may see.
 */
export async function checkHealth(kernel: Kernel, { details }: { details: boolean }): Promise<Health> {
  const wanted = [...kernel.healthChecks].filter(([, check]) => check.isWanted?.(kernel) ?? true);
  const results = await Promise.all(
    wanted.map(async ([name, check]): Promise<[string, Static<typeof Check>]> => {
      const { output, time, ...observed } = await currentObservation(kernel, name, check);
      const result = { componentType: check.componentType, ...observed, time: time.toISOString() };
      return [name, details && output !== undefined ? { ...result, output } : result];
    }),
  );
  return {
    status: worst(results.map(([, { status }]) => status)),
    ...(details ? { version: kernel.slots.get(PROGRAM_VERSION) } : {}),
    checks: Object.fromEntries(results.map(([name, result]) => [name, [result]])),
  };
}

/** The media type of health checks (draft-inadarei-api-health-check). */
const HEALTH_JSON = 'application/health+json';

const HealthBody = Type.Object({ '@id': schemas.Address, ...Health.properties });

const RESPONSES = {
  200: {
    description: 'It can; `warn` says that something needs attention.',
    schema: HealthBody,
    contentType: HEALTH_JSON,
  },
  503: { description: 'It cannot: a check failed.', schema: HealthBody, contentType: HEALTH_JSON },
};

/**
 * The response about the health of this process; a load balancer takes the process out of service on status 503. It needs only the kernel, so that it
 * is available while the database is not. `base` is the address of the site root.
 */
async function healthResponse(
  kernel: Kernel,
  base: string,
  options: { details: boolean },
): Promise<ResultOf<typeof RESPONSES>> {
  const health = await checkHealth(kernel, options);
  return {
    status: health.status === 'fail' ? 503 : 200,
    headers: { 'Cache-Control': 'no-store' },
    contentType: HEALTH_JSON,
    body: { '@id': `${base}/@health`, ...health },
  };
}

/** GET `@health`: the health of the process, for monitors and load balancers. */
export const getHealth = defineService({
  name: '@health',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  summary: 'Whether the server can do its work, with the state of everything that it needs.',
  responses: RESPONSES,
  answerEarly: (kernel, base) => healthResponse(kernel, base, { details: false }),
  run: ({ kernel, base, site, caller, resolved }) =>
    healthResponse(kernel, base, { details: has(site, caller, resolved, 'Overview control panel') }),
});
