import { enqueueJob, type JobAction, panelSettings, runInBatches, type UpgradeStep } from 'canopy';
import { panel } from './panel.ts';
import { countRatedAbove, cutRatings, ratedAbove } from './ratings.ts';

const ACTION = 'example-cut';

/**
 * Cuts ratings down to the most stars that the panel allows, which version 1 did not look at. Each batch is one transaction with
 * the place that the job has come to: a killed job goes on behind its last batch.
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

/** What version 2 of the add-on does on sites that have version 1: more than some hundred rows are the work of a job. */
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
