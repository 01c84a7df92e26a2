import type { Transaction } from '../../database/database.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { stateOf, workflowOf } from '../configuration/workflow/workflow.ts';
import { namesOf, reindexInBatches } from '../content/reindex-site.ts';
import { lockRows } from '../content/statements/load-content.ts';
import { settleStates } from '../content/statements/workflow-history.ts';
import { runInBatches } from '../kernel/batches.ts';
import type { JobAction, JobContext, Kernel } from '../kernel/kernel.ts';
import { reindexCount, reindexNext, reindexObjects } from '../search/statements/catalog.ts';
import type { FollowUp } from './content-follow-up.ts';

const BRING_CONTENT = 'bring-content';

/** The comment in the history on a state that an upgrade has set. */
const COMMENT = 'The workflow is another one since an upgrade of the site.';

/** Gives objects whose state is not in their workflow the first state of the workflow; no state without a workflow. */
async function settle(kernel: Kernel, tx: Transaction, oids: number[], actor: string): Promise<void> {
  const before = await reindexObjects(tx, oids);
  await lockRows(
    tx,
    before.map(({ path }) => path),
    'exclusive',
  );
  const site = await kernel.sites.within(tx);
  const changes = (await reindexObjects(tx, oids)).flatMap((object) => {
    const workflow = workflowOf(site, object.type)?.id ?? null;
    const state = stateOf(site, object)?.id ?? null;
    return state === object.reviewState ? [] : [{ oid: object.oid, workflow, state }];
  });
  if (changes.length > 0) await settleStates(tx, changes, { actor, comments: COMMENT, at: new Date() });
}

/** The objects that the job changes in one batch: objects of some types, or all. */
const objectsOf = (types: readonly string[] | undefined) => ({
  count: (tx: Transaction) => reindexCount(tx, types),
  select: async (tx: Transaction, after: number | undefined, limit: number) =>
    (await reindexNext(tx, { after: after ?? 0, limit, types })).map(({ oid }) => oid),
});

async function bringContent(context: JobContext): Promise<JsonObject> {
  const { kernel, params, caller } = context;
  const states = namesOf(params.states);
  const types = params.all === true ? undefined : namesOf(params.types);
  const settled =
    states.length === 0
      ? 0
      : await runInBatches<number>(context, {
          name: 'states',
          ...objectsOf(states),
          change: (tx, oids) => settle(kernel, tx, oids, caller.id ?? ''),
        });
  const indexed = await reindexInBatches(context, types, 'index');
  return { states: settled, objects: indexed };
}

const TYPES = { type: 'array', factory: 'List', items: { type: 'string' }, uniqueItems: true } as const;

/**
 * Adapts the states and catalog rows of content after an upgrade has changed workflows or indexes. It may be started any number of times with the
 * same result.
 */
export const bringContentAction: JobAction = {
  name: BRING_CONTENT,
  title: 'Bring content up to date',
  description: 'Brings content to the present workflows and builds its part of the catalog anew.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['states', 'types', 'all'] }],
    properties: {
      states: {
        title: 'Workflow states',
        description: 'Content types whose content is brought to a state of their workflow.',
        ...TYPES,
      },
      types: { title: 'Content types', description: 'Content types whose content is indexed.', ...TYPES },
      all: { title: 'All content', description: 'Index content of all types.', type: 'boolean', factory: 'Yes/No' },
    },
    required: [],
  },
  exclusive: true,
  run: bringContent,
};

/** The job that changes content after a change of the configuration. */
export type ContentJob = {
  action: string;
  params: JsonObject;
  /** The types whose content it changes; undefined for all. */
  types: string[] | undefined;
  /** The number of their objects. */
  count: number;
};

/** Plans the job that changes content after a change of the configuration; undefined when no content needs a change. */
export async function planContentJob(tx: Transaction, { states, reindex }: FollowUp): Promise<ContentJob | undefined> {
  if (states.length === 0 && reindex !== 'all' && reindex.length === 0) return undefined;
  const types = reindex === 'all' ? undefined : [...new Set([...states, ...reindex])];
  const count = await reindexCount(tx, types);
  const params = types === undefined ? { states, all: true } : { states, types };
  return count === 0 ? undefined : { action: BRING_CONTENT, params, types, count };
}
