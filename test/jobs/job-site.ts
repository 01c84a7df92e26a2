import { loadAccount } from '../../src/auth/accounts.ts';
import type { JobRequest } from '../../src/features/jobs/statements/jobs.ts';
import { type JobWorker, type JobWorkerOptions, startJobWorker } from '../../src/features/jobs/worker.ts';
import type { JobAction, JobContext } from '../../src/site/job-actions.ts';
import type { Kernel } from '../../src/site/kernel.ts';

/** Starts a worker as a serving process does. */
export const startWorker = (kernel: Kernel, options: Partial<JobWorkerOptions> = {}): Promise<JobWorker> =>
  startJobWorker(kernel, { findCaller: async (id) => (await loadAccount(kernel.db, id))?.caller, ...options });

/** A job of an action as a Manager asks for it. */
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

/** An action of the tests: it runs until it is told to end, or is broken off. */
export type Slow = {
  action: JobAction;
  /** What it was run with, one for each time. */
  runs: JobContext[];
  /** Lets everything that runs end; later runs end at once. */
  finish(): void;
};

/** Makes an action that notes its runs and goes on until it may end. */
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

/** An action that does at once what it is given. */
export const quickAction = (name: string, run: JobAction['run'], more: Partial<JobAction> = {}): JobAction => ({
  name,
  title: name,
  description: '',
  schema: { fieldsets: [], properties: {}, required: [] },
  exclusive: false,
  run,
  ...more,
});
