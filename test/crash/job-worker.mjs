// One process with two workers for test/crash/jobs.mjs; the site is that of the environment.
import { openSite } from '../../dist/src/app/open-site.js';
import { parseConfig } from '../../dist/src/core/configuration/environment/config.js';
import { startJobWorker } from '../../dist/src/features/jobs/worker.js';
import { createLog } from '../../dist/src/lib/process/process.js';

/** Adds a row for the job. A job that is started again finds its checkpoint and adds no second row. */
const mark = {
  name: 'mark',
  title: 'Mark',
  description: '',
  schema: {
    fieldsets: [],
    properties: { n: { title: 'Number', type: 'integer', factory: 'Integer' } },
    required: ['n'],
  },
  exclusive: false,
  async run({ params, step }) {
    await step(async (tx, checkpoint) => {
      if (checkpoint.marked !== true)
        await tx.query({
          text: 'insert into job_effect (n, process) values ($1, $2)',
          values: [params.n, process.pid],
        });
      return { checkpoint: { marked: true }, done: 1, total: 1 };
    });
    return { n: params.n };
  },
};

const features = [{ name: 'job-proof', jobActions: [mark] }];
const { kernel } = await openSite(parseConfig(process.env), createLog('error'), { features, create: true });
for (const _ of [1, 2]) await startJobWorker(kernel, { findCaller: async () => undefined });
process.send?.('ready');
