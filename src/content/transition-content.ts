import { BadRequest, NotFound, ValidationFailed } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { can } from '../security/can.ts';
import { MODIFY, VIEW } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { type HistoryEntry, moveAlong } from '../storage/statements/workflow-history.ts';
import { stateOf } from '../workflow/workflow.ts';
import { availableTransitions } from './available-transitions.ts';
import { joinColumns } from './column-values.ts';
import { checkInvariants } from './invariants.ts';
import { locateForWrite } from './locate.ts';
import { reject, requirePermission } from './permissions.ts';
import { replaceStored } from './replace-stored.ts';
import { securityChain } from './security-chain.ts';
import { indexSecurity } from './security-index.ts';
import { type Move, movesBelow } from './transition-below.ts';

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

/** Largest length of a comment, in characters. */
export const MAX_COMMENT_LENGTH = 10_000;

/** The dates of a request, as far as it has any. */
function datesOf({ effective, expires }: TransitionRequest): { effective?: Date; expires?: Date } {
  return { ...(effective ? { effective } : {}), ...(expires ? { expires } : {}) };
}

/** The same as they are stored. */
function storedDates(request: TransitionRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(datesOf(request)).map(([name, date]) => [name, date.toISOString()]));
}

/** Throws unless the caller may set the dates of the request on the object, and they go together. */
function checkDates(site: Site, request: TransitionRequest, resolved: ResolvedNode): void {
  const dates = datesOf(request);
  const names = Object.keys(dates);
  if (names.length === 0) return;
  if (!can(MODIFY, request.caller, securityChain(site, resolved), site.roleMap))
    reject(request.caller, 'You may not change the dates of publication here.');
  const type = site.types.get(resolved.object.type);
  const values = { ...joinColumns(resolved.object), ...storedDates(request) };
  const problems = type ? checkInvariants(type, values, new Set(names)) : [];
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/** Refuses a transition that there is not, or not now, or not for the caller: who is nobody is asked to log in first. */
function rejectTransition(caller: Caller, transition: string, offered: readonly { id: string }[]): never {
  if (caller.id === null) reject(caller);
  const names = offered.map(({ id }) => id).join(', ') || 'none';
  throw new BadRequest(`Invalid transition '${transition}'. Valid transitions are: ${names}.`, 'WorkflowException');
}

/** Moves objects that are held, all below `located` or itself: states, histories, viewers, events. */
async function apply(
  kernel: Kernel,
  tx: Transaction,
  site: Site,
  resolved: ResolvedNode,
  { moves, entry, request }: { moves: readonly Move[]; entry: HistoryEntry; request: TransitionRequest },
): Promise<void> {
  const { caller, transition, effective, expires } = request;
  const changes = moves.map(({ node, workflow, to }) => ({ oid: node.oid, workflow, state: to }));
  const { actor, comments, at } = entry;
  await moveAlong(tx, changes, { action: transition, actor, comments, at, effective, expires });
  const moved = moves.find(({ node }) => node.oid === resolved.object.oid);
  const object = moved ? { ...resolved.object, reviewState: moved.to } : resolved.object;
  await indexSecurity(tx, site, object.path, resolved.ancestors);
  for (const { node, from, to } of moves)
    await kernel.events.emit(
      'content.transitioned',
      { oid: node.oid, transition, from, to, comment: comments },
      { tx, caller },
    );
}

/**
 * Moves an object (and with `includeChildren` everything below it that has the transition) along a transition, in one
 * transaction with its events and with the same number of statements for any number of objects. A transition into the
 * present state passes without an entry in the history, for whoever is logged in. The first transition sets the effective date, unless there is
 * one (plone.restapi, W07). Throws BadRequest of type WorkflowException when it is unknown or not available, and
 * Forbidden for dates without the right to modify.
 */
export async function transitionContent(kernel: Kernel, request: TransitionRequest): Promise<HistoryEntry> {
  const { caller, path } = request;
  return kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, VIEW);
    const { object } = resolved;
    const now = stateOf(site, object);
    const transition = now?.workflow.transitions[request.transition];
    const offered = availableTransitions(site, caller, resolved);
    if (!now || !transition) return rejectTransition(caller, request.transition, offered);
    const stays = transition.new_state === now.id;
    if ((!stays || caller.id === null) && !offered.some(({ id }) => id === request.transition))
      rejectTransition(caller, request.transition, offered);
    checkDates(site, request, resolved);
    const entry: HistoryEntry = {
      workflow: now.workflow.id,
      action: request.transition,
      actor: caller.id ?? '',
      comments: request.comment ?? '',
      reviewState: transition.new_state,
      at: new Date(),
    };
    const own: Move = {
      node: object,
      workflow: now.workflow.id,
      from: object.reviewState ?? '',
      to: transition.new_state,
    };
    if (stays) {
      const values = storedDates(request);
      await replaceStored(kernel, tx, { site, object, caller, values, note: request.comment });
    }
    const below = request.includeChildren
      ? await movesBelow(tx, {
          site,
          caller,
          resolved,
          reviewState: transition.new_state,
          transition: request.transition,
          dates: Object.keys(datesOf(request)).length > 0,
        })
      : [];
    const moves = stays ? below : [own, ...below];
    if (moves.length > 0) await apply(kernel, tx, site, resolved, { moves, entry, request });
    return entry;
  });
}
