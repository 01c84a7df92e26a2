import { isRoot } from '../../content/locate.ts';
import { has } from '../../content/permissions.ts';
import { availableTransitions } from '../../content/transition-content.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { REVIEW } from '../../security/permissions.ts';
import type { Located } from '../../storage/content-row.ts';
import { readHistory } from '../../storage/statements/workflow-history.ts';
import type { WorkflowDefinition } from '../../workflow/definition.ts';
import { workflowOf } from '../../workflow/workflow-of.ts';
import { type Component, componentUrl } from '../components.ts';
import type { RenderContext } from '../render-context.ts';

/** Who may ask for a review or give one may read the names and comments of earlier ones (Plone's guard of `review_history`). */
const HISTORY_PERMISSIONS = ['Request review', REVIEW];

async function history(
  { site, caller, db }: RenderContext,
  located: Located,
  workflow: WorkflowDefinition,
): Promise<JsonObject[]> {
  if (!HISTORY_PERMISSIONS.some((permission) => has(site, caller, located, permission))) return [];
  return (await readHistory(db, located.object.oid)).map(({ action, actor, comments, reviewState, at }) => ({
    action,
    actor,
    comments,
    review_state: reviewState,
    time: at.toISOString(),
    title: workflow.states[reviewState]?.title ?? reviewState,
  }));
}

/**
 * State, history and transitions of the object (plone.restapi §7, `@workflow`). The site root and objects without a
 * workflow have no history and no transitions; the state of the latter has the id null, as their `review_state`.
 */
export const workflow: Component = {
  name: 'workflow',
  async expand(context, located) {
    const { site, caller } = context;
    const { object } = located;
    const url = componentUrl(context, located, 'workflow');
    const definition = workflowOf(site, object.type);
    const id = object.reviewState;
    const state = { id, title: definition?.states[id ?? '']?.title ?? id ?? '' };
    if (!definition || isRoot(object)) return { '@id': url, history: [], state, transitions: [] };
    const transitions = availableTransitions(site, caller, located);
    return {
      '@id': url,
      history: await history(context, located, definition),
      state,
      transitions: transitions.map(({ id: transition, title }) => ({
        '@id': `${url}/${encodeURIComponent(transition)}`,
        title,
      })),
    };
  },
};
