import { BadRequest, NotFound, ValidationFailed } from '../lib/errors.ts';
import { parseInstant } from '../lib/iso-date.ts';
import type { Caller } from '../security/caller.ts';
import { VIEW } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { Located } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { childPaths } from '../storage/statements/child-paths.ts';
import { updateContent } from '../storage/statements/update-content.ts';
import { addHistory, type HistoryEntry } from '../storage/statements/workflow-history.ts';
import type { WorkflowDefinition, WorkflowTransition } from '../workflow/definition.ts';
import { workflowOf } from '../workflow/workflow-of.ts';
import { locateForWrite } from './locate.ts';
import { has, need, rolesAt } from './permissions.ts';

export type TransitionRequest = {
  caller: Caller;
  path: string;
  transition: string;
  comment?: string;
  /** Everything below that has the transition follows. */
  includeChildren?: boolean;
  effective?: Date;
  expires?: Date;
};

/** Reads the body of POST `@workflow/<transition>`. Throws BadRequest or ValidationFailed. */
export function readTransitionBody(
  body: Record<string, unknown>,
): Pick<TransitionRequest, 'comment' | 'includeChildren' | 'effective' | 'expires'> {
  const { comment = '', include_children: children = false, effective, expires } = body;
  if (typeof comment !== 'string') throw new BadRequest('"comment" must be a string.');
  if (comment.includes('\u0000') || !comment.isWellFormed()) throw new BadRequest('"comment" is not well-formed text.');
  if (typeof children !== 'boolean') throw new BadRequest('"include_children" must be true or false.');
  const instant = (field: string, value: unknown) => {
    if (value === undefined || value === null) return {};
    const date = typeof value === 'string' ? parseInstant(value) : undefined;
    if (!date)
      throw new ValidationFailed([{ field, message: 'Is not a date and time, such as 2026-05-01T10:00:00Z.' }]);
    return { [field]: date };
  };
  return { comment, includeChildren: children, ...instant('effective', effective), ...instant('expires', expires) };
}

/** Whether the guards of a transition let the caller pass on this object. */
function passes(site: Site, caller: Caller, located: Located, { guard }: WorkflowTransition): boolean {
  if (!guard) return true;
  const { permissions, roles, groups } = guard;
  if (permissions?.length && !permissions.some((permission) => has(site, caller, located, permission))) return false;
  const own = roles?.length ? rolesAt(site, caller, located) : undefined;
  if (roles?.length && !roles.some((role) => own?.has(role))) return false;
  return !groups?.length || groups.some((group) => caller.groups.includes(group));
}

/** The transitions that the caller may make on an object now, in the order of the workflow. */
export function availableTransitions(site: Site, caller: Caller, located: Located): { id: string; title: string }[] {
  const workflow = workflowOf(site, located.object.type);
  const state = workflow?.states[located.object.reviewState ?? ''];
  return (state?.transitions ?? []).flatMap((id) => {
    const transition = workflow?.transitions[id];
    return transition && passes(site, caller, located, transition) ? [{ id, title: transition.title }] : [];
  });
}

/** Changes the state of one held object. Answers the entry that its history gets, or undefined when it does not move. */
async function apply(
  kernel: Kernel,
  tx: Transaction,
  located: Located,
  workflow: WorkflowDefinition,
  request: TransitionRequest,
): Promise<HistoryEntry | undefined> {
  const { object } = located;
  const transition = workflow.transitions[request.transition];
  if (!transition) return undefined;
  const entry: HistoryEntry = {
    workflow: workflow.id,
    action: request.transition,
    actor: request.caller.id ?? '',
    comments: request.comment ?? '',
    reviewState: transition.new_state,
    at: new Date(),
  };
  await updateContent(tx, object.oid, {
    reviewState: transition.new_state,
    modified: entry.at,
    // The first transition publishes, in the sense of the effective date (plone.restapi, W07).
    effective: request.effective ?? object.effective ?? entry.at,
    ...(request.expires ? { expires: request.expires } : {}),
  });
  await addHistory(tx, { ...entry, content: object.oid });
  await kernel.events.emit(
    'content.transitioned',
    {
      oid: object.oid,
      transition: request.transition,
      from: object.reviewState ?? '',
      to: transition.new_state,
      comment: entry.comments,
    },
    { tx, caller: request.caller },
  );
  return entry;
}

/** The same transition for everything below, where it is available to the caller; what has no such transition is passed over. */
async function applyBelow(kernel: Kernel, tx: Transaction, path: string, request: TransitionRequest): Promise<void> {
  for (const child of await childPaths(tx, path)) {
    const { site, located } = await locateForWrite(kernel, child, tx, 'change');
    if (!located || !has(site, request.caller, located, VIEW)) continue;
    const workflow = workflowOf(site, located.object.type);
    const available = availableTransitions(site, request.caller, located).some(({ id }) => id === request.transition);
    if (workflow && available) await apply(kernel, tx, located, workflow, request);
  }
}

/**
 * Moves an object (and with `includeChildren` everything below it) along a transition, in one
 * transaction with its events. A transition into the present state passes without a change. Throws BadRequest of type
 * WorkflowException when it is unknown or not available.
 */
export async function transitionContent(kernel: Kernel, request: TransitionRequest): Promise<HistoryEntry> {
  const { caller, path } = request;
  return kernel.db.transaction(async (tx) => {
    const { site, located } = await locateForWrite(kernel, path, tx, 'change');
    if (!located) throw new NotFound(path);
    need(site, caller, located, VIEW);
    const { object } = located;
    const workflow = workflowOf(site, object.type);
    const transition = workflow?.transitions[request.transition];
    const refused = new BadRequest(
      `Invalid transition '${request.transition}'. Valid transitions are: ${
        availableTransitions(site, caller, located)
          .map(({ id }) => id)
          .join(', ') || 'none'
      }.`,
      'WorkflowException',
    );
    if (!workflow || !transition) throw refused;
    const stays = transition.new_state === object.reviewState;
    if (!stays && !availableTransitions(site, caller, located).some(({ id }) => id === request.transition))
      throw refused;
    const entry = stays ? undefined : await apply(kernel, tx, located, workflow, request);
    if (request.includeChildren) await applyBelow(kernel, tx, path, request);
    return (
      entry ?? {
        workflow: workflow.id,
        action: request.transition,
        actor: caller.id ?? '',
        comments: request.comment ?? '',
        reviewState: object.reviewState ?? '',
        at: new Date(),
      }
    );
  });
}
