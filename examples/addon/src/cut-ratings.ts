import { enqueueJob, type JobAction, panelSettings, runInBatches, type UpgradeStep } from 'canopy-server';
import { panel } from './panel.ts';
import { countRatedAbove, cutRatings, ratedAbove } from './ratings.ts';

const ACTION = 'example-cut';

/**
 * Cuts ratings down to the most stars that the panel allows; version 1 ignored that setting. Each batch is one transaction with
 * the checkpoint of the job, so that a killed job continues after its last batch.
 */
export const cutJob: JobAction = {
  name: ACTION,
  title: 'Cut ratings',
  description: 'Cuts ratings down to the most stars that may be given.',
  schema: { fieldsets: [], properties: {}, required: [] },
  exclusive: true,
  async run(context) {
    const { max_stars: most } = panelSettings(await context.kernel.sites.current(), panel);
    return {
      objects: await runInBatches<number>(context, {
        size: 100,
        count: (tx) => countRatedAbove(tx, most),
        select: (tx, after, limit) => ratedAbove(tx, { most, after: after ?? 0, limit }),
        change: (tx, oids) => cutRatings(tx, oids, most),
      }),
    };
  },
};

/** The upgrade step from version 1 to 2. It enqueues a job, because there may be more than some hundred rows. */
export const cutStep: UpgradeStep = {
  id: 'example-2',
  title: 'Cut ratings',
  profile: 'canopy-addon-example',
  from: '1',
  to: '2',
  async run(tx, report, kernel) {
    const { title, description, name: action } = cutJob;
    const request = { action, title, description, params: {}, scheduledJob: null, actor: null, asSystem: true };
    await enqueueJob(kernel, tx, request);
    report('A job cuts ratings down to the most stars that may be given.');
  },
};
