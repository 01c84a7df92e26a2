import type { Transaction } from '../../database/database.ts';
import { within } from '../../database/transactions.ts';
import { BadRequest, NotFound, ValidationFailed } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { passesConditions, passesGuard, stateOf, type WorkflowTransition } from '../configuration/workflow/workflow.ts';
import type { DateChanges } from '../journal/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { can, type SecurityNode } from '../security/can.ts';
import { MODIFY, VIEW } from '../security/permissions.ts';
import type { PlacedNode, ResolvedNode, TreeNode } from '../types/content-row.ts';
import { locateForWrite } from './locate.ts';
import { reject, requirePermission, securityChain, securityNode } from './permissions.ts';
import { indexSecurity } from './security-index.ts';
import {
  type HistoryEntry,
  loadHistory,
  lockBelow,
  type MovedDates,
  moveAlong,
} from './statements/workflow-history.ts';
import { isAtOrBelow, parentPath } from './tree-path.ts';
import { checkInvariants, joinColumns } from './values.ts';
import { replaceStored } from './write-change.ts';

/** A transition under its id. */
export type NamedTransition = WorkflowTransition & { id: string };

/** The transitions that the caller may make on `node`, whose security chain is `chain`, in the order of the workflow. */
function transitionsAt(
  site: Site,
  caller: Caller,
  node: Pick<TreeNode, 'type' | 'reviewState'>,
  chain: readonly SecurityNode[],
): NamedTransition[] {
  const { workflow, state } = stateOf(site, node) ?? {};
  return (state?.transitions ?? []).flatMap((id) => {
    const transition = workflow?.transitions[id];
    if (!workflow || !transition || !passesGuard(transition, caller, chain, site.roleMap)) return [];
    const context = { caller, node, chain, workflow, transition: id };
    return passesConditions(transition, site.registries.guardConditions, context) ? [{ id, ...transition }] : [];
  });
}

/** The transitions that the caller may make on an object now. */
export const availableTransitions = (site: Site, caller: Caller, resolved: PlacedNode): NamedTransition[] =>
  transitionsAt(site, caller, resolved.object, securityChain(site, resolved));

/** An object that goes from one state to another. `workflow` is an id. */
type Move = { node: TreeNode; workflow: string; from: string; to: string };

/**
 * Returns the objects that follow when `resolved` makes a transition (its state is then `reviewState`): all objects below it that the caller may view
 * and for which the caller has the transition, except working copies and their content. With `dates` the caller must also have the right to modify
 * them: otherwise an object could be published before its date, which could not be set. All of them are locked. Runs one statement.
 */
async function movesBelow(
  tx: Transaction,
  {
    site,
    caller,
    resolved,
    reviewState,
    transition,
    dates,
  }: { site: Site; caller: Caller; resolved: ResolvedNode; reviewState: string; transition: string; dates: boolean },
): Promise<Move[]> {
  const top = { ...resolved, object: { ...resolved.object, reviewState } };
  const chains = new Map<string, SecurityNode[]>([[top.object.path, securityChain(site, top)]]);
  const moves: Move[] = [];
  for (const node of await lockBelow(tx, top.object.path)) {
    const above = chains.get(parentPath(node.path) ?? '');
    // Such a node does not follow: its container is a working copy, or moved here while this request waited for the lock.
    if (!above) continue;
    const chain = [securityNode(site, node), ...above];
    chains.set(node.path, chain);
    if (!can(VIEW, caller, chain, site.roleMap)) continue;
    if (dates && !can(MODIFY, caller, chain, site.roleMap)) continue;
    const found = transitionsAt(site, caller, node, chain).find(({ id }) => id === transition);
    const now = stateOf(site, node);
    if (!found || !now) continue;
    moves.push({ node, workflow: now.workflow.id, from: node.reviewState ?? '', to: found.new_state });
    // Content below is judged by the new state of its container.
    chains.set(node.path, [securityNode(site, { ...node, reviewState: found.new_state }), ...above]);
  }
  return moves;
}

export type TransitionRequest = {
  caller: Caller;
  path: string;
  transition: string;
  comment?: string;
  /** True if everything below that has the transition follows. */
  includeChildren?: boolean;
  effective?: Date;
  expires?: Date;
};

/** Maximum length of a comment, in characters. */
export const MAX_COMMENT_LENGTH = 10_000;

/** The dates that a request has. */
function datesOf({ effective, expires }: TransitionRequest): { effective?: Date; expires?: Date } {
  return { ...(effective ? { effective } : {}), ...(expires ? { expires } : {}) };
}

/** The dates of a request in their stored form. */
function storedDates(request: TransitionRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(datesOf(request)).map(([name, date]) => [name, date.toISOString()]));
}

/** Throws unless the caller may set the dates of the request on the object, and the dates are in the right order. */
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

/** Rejects a transition that is unknown, not possible in this state, or not allowed: with 401 for Anonymous. */
function rejectTransition(caller: Caller, transition: string, offered: readonly { id: string }[]): never {
  if (caller.id === null) reject(caller);
  const names = offered.map(({ id }) => id).join(', ') || 'none';
  throw new BadRequest(`Invalid transition '${transition}'. Valid transitions are: ${names}.`, 'WorkflowException');
}

/** The dates that a transition has changed. */
const dateChanges = ({ effective, expires, newEffective, newExpires }: MovedDates): DateChanges => ({
  ...(effective?.getTime() === newEffective?.getTime()
    ? {}
    : { effective: { before: effective, after: newEffective } }),
  ...(expires?.getTime() === newExpires?.getTime() ? {} : { expires: { before: expires, after: newExpires } }),
});

/**
 * The moves without those that conditions of their transition reject, and without the moves below such objects, which were judged by the new state of
 * these. Throws BadRequest when the object at `path` is rejected.
 */
async function withoutRefused(
  tx: Transaction,
  { site, caller, path, transition }: { site: Site; caller: Caller; path: string; transition: string },
  moves: readonly Move[],
): Promise<readonly Move[]> {
  const reasons = new Map<number, string>();
  for (const { name, refuse } of site.registries.guardConditions.values()) {
    const asked = moves.filter(({ workflow }) =>
      site.workflows.get(workflow)?.transitions[transition]?.guard?.conditions?.includes(name),
    );
    if (!refuse || asked.length === 0) continue;
    const oids = asked.map(({ node }) => node.oid);
    for (const [oid, reason] of await refuse(tx, { caller, transition, oids })) reasons.set(oid, reason);
  }
  const refused = moves.filter(({ node }) => reasons.has(node.oid)).map(({ node }) => node);
  const own = refused.find((node) => node.path === path);
  if (own) throw new BadRequest(reasons.get(own.oid) ?? '', 'WorkflowException');
  return moves.filter(({ node }) => !refused.some((other) => isAtOrBelow(node.path, other.path)));
}

/** Applies moves of locked objects, of `located` and below it: states, histories, viewers, events. */
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
  const dated = await moveAlong(tx, changes, { action: transition, actor, comments, at, effective, expires });
  const datesOfMoves = new Map(dated.map((row) => [row.oid, dateChanges(row)]));
  const moved = moves.find(({ node }) => node.oid === resolved.object.oid);
  const object = moved ? { ...resolved.object, reviewState: moved.to } : resolved.object;
  const differing = await indexSecurity(tx, site, object.path, resolved.ancestors);
  const own = new Set(moves.map(({ node }) => node.oid));
  let others = differing.filter((oid) => !own.has(oid)).sort((one, other) => one - other);
  for (const { node, from, to } of moves) {
    const dates = datesOfMoves.get(node.oid) ?? {};
    const change = { oid: node.oid, transition, from, to, comment: comments, dates, site, seenByOthers: others };
    await kernel.events.emit('content.transitioned', change, { tx, caller });
    others = [];
  }
}

/**
 * Moves an object (and with `includeChildren` everything below it that has the transition) along a transition, in one transaction with its events and
 * with the same number of statements for any number of objects. For logged-in users, a transition into the present state succeeds without an entry in
 * the history. The first transition sets the effective date, unless the object has one (plone.restapi, W07). Throws BadRequest of type
 * WorkflowException for an unknown or unavailable transition, and Forbidden for dates without the right to modify.
 * @param options `tx` is the transaction of the caller
 */
export const transitionContent = (
  kernel: Kernel,
  request: TransitionRequest,
  { tx: around }: { tx?: Transaction | undefined } = {},
): Promise<HistoryEntry> => within(kernel.db, around, (tx) => transitionOne(kernel, tx, request));

async function transitionOne(kernel: Kernel, tx: Transaction, request: TransitionRequest): Promise<HistoryEntry> {
  const { caller, path } = request;
  const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
  if (!resolved) throw new NotFound(path);
  requirePermission(site, caller, resolved, VIEW);
  const { object } = resolved;
  const now = stateOf(site, object);
  const transitions = new Map(Object.entries(now?.workflow.transitions ?? {}));
  const transition = transitions.get(request.transition);
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
  const wanted = stays ? below : [own, ...below];
  const moves = await withoutRefused(tx, { site, caller, path: object.path, transition: request.transition }, wanted);
  if (moves.length > 0) await apply(kernel, tx, site, resolved, { moves, entry, request });
  // Content that keeps its state gets no entry; the last entry describes its way into this state (plone.restapi).
  return stays ? ((await loadHistory(tx, object.oid)).at(-1) ?? entry) : entry;
}
