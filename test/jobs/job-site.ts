import type { JobAction, JobContext, Kernel } from '../../src/core/kernel/kernel.ts';
import { loadAccount } from '../../src/core/people/accounts.ts';
import type { JobRequest } from '../../src/features/jobs/statements/jobs.ts';
import { type JobWorker, type JobWorkerOptions, startJobWorker } from '../../src/features/jobs/worker.ts';

/** Starts a worker as a serving process does. */
export const startWorker = (kernel: Kernel, options: Partial<JobWorkerOptions> = {}): Promise<JobWorker> =>
  startJobWorker(kernel, { findCaller: async (id) => (await loadAccount(kernel.db, id))?.caller, ...options });

/** The request for a job of an action by a Manager. */
export const request = (action: string, more: Partial<JobRequest> = {}): JobRequest => ({
  action,
  params: {},
  title: action,
  description: '',
  scheduledJob: null,
  actor: 'admin',
  asSystem: true,
  ...more,
});

/** An action that runs until the test lets it end, or until it is cancelled. */
export type Slow = {
  action: JobAction;
  /** The contexts of its runs. */
  runs: JobContext[];
  /** Lets all runs end; later runs end at once. */
  finish(): void;
};

/** An action that records its runs and continues until it may end. A `deaf` one ignores the abort signal. */
export function slowAction(name: string, { exclusive = false, deaf = false } = {}): Slow {
  const runs: JobContext[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const action: JobAction = {
    name,
    title: `Slow ${name}`,
    description: '',
    schema: { fieldsets: [], properties: {}, required: [] },
    exclusive,
    async run(context) {
      runs.push(context);
      const { signal } = context;
      const broken = new Promise<never>((_, reject) => {
        if (!deaf) signal.addEventListener('abort', () => reject(signal.reason));
      });
      await Promise.race([finished, broken]);
      return { runs: runs.length };
    },
  };
  return { action, runs, finish };
}

/** An action that runs a function. */
export const quickAction = (name: string, run: JobAction['run'], more: Partial<JobAction> = {}): JobAction => ({
  name,
  title: name,
  description: '',
  schema: { fieldsets: [], properties: {}, required: [] },
  exclusive: false,
  run,
  ...more,
});
