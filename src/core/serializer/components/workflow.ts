import { type Static, Type } from 'typebox';
import { Address, Nullable } from '../../../lib/schema/shapes.ts';
import { stateOf, type WorkflowDefinition } from '../../configuration/workflow/workflow.ts';
import { isRoot } from '../../content/locate.ts';
import { mayReadReviews } from '../../content/permissions.ts';
import { loadHistory } from '../../content/statements/workflow-history.ts';
import { availableTransitions } from '../../content/transition-content.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { componentUrl, defineComponent } from '../components.ts';
import type { RenderContext } from '../render-context.ts';

/** An entry of the history. */
export const WorkflowEntry = Type.Object({
  action: Nullable(Type.String({ description: 'Id of the transition; null for the creation.' })),
  actor: Type.String({ description: 'Id of the user.' }),
  comments: Type.String(),
  review_state: Type.String({ description: 'The new state.' }),
  time: Type.String({ format: 'date-time' }),
  title: Type.String({ description: 'Title of the new state.' }),
});

async function history(
  { site, caller, db }: RenderContext,
  resolved: ResolvedNode,
  workflow: WorkflowDefinition,
): Promise<Static<typeof WorkflowEntry>[]> {
  if (!mayReadReviews(site, caller, resolved)) return [];
  return (await loadHistory(db, resolved.object.oid)).map(({ action, actor, comments, reviewState, at }) => ({
    action,
    actor,
    comments,
    review_state: reviewState,
    time: at.toISOString(),
    title: workflow.states[reviewState]?.title ?? reviewState,
  }));
}

/**
 * State, history and transitions of the object (plone.restapi §7, `@workflow`). The site root and objects without a workflow have no history and no
 * transitions. Without a workflow the id of the state is null, like `review_state`.
 */
export const workflow = defineComponent({
  name: 'workflow',
  schema: Type.Object({
    '@id': Address,
    history: Type.Array(WorkflowEntry),
    state: Type.Object({ id: Nullable(Type.String()), title: Type.String() }),
    transitions: Type.Array(Type.Object({ '@id': Address, title: Type.String() })),
  }),
  async expand(context, resolved) {
    const { site, caller } = context;
    const { object } = resolved;
    const url = componentUrl(context, resolved, 'workflow');
    const now = stateOf(site, object);
    const id = now?.id ?? object.reviewState;
    const state = { id, title: now?.state.title ?? id ?? '' };
    if (!now || isRoot(object)) return { '@id': url, history: [], state, transitions: [] };
    const transitions = availableTransitions(site, caller, resolved);
    return {
      '@id': url,
      history: await history(context, resolved, now.workflow),
      state,
      transitions: transitions.map(({ id: transition, title }) => ({
        '@id': `${url}/${encodeURIComponent(transition)}`,
        title,
      })),
    };
  },
});
