import type { HealthCheck, Observation } from '../../../site/health-checks.ts';
import type { Kernel } from '../../../site/kernel.ts';

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
