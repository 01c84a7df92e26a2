import { type Caller, type Kernel, locateForWrite, requirePermission, type Transaction } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import {
  assignEverywhere,
  assignedRules,
  assignRule,
  changeAssignments,
  orderAssignments,
  unassignRules,
} from './statements/assignments.ts';

/** The permission to say which rules apply to a folder, in Plone's spelling. */
export const MANAGE_RULES = 'Manage content rules';

/** A folder whose rules somebody changes. */
export type FolderRequest = { caller: Caller; path: string };

/**
 * Runs a change of the rules of a folder, which is locked meanwhile. `work` returns the changed rules; `change` names the change. Throws NotFound,
 * Unauthorized, Forbidden.
 */
async function changeFolder(
  kernel: Kernel,
  { caller, path }: FolderRequest,
  change: string,
  work: (tx: Transaction, oid: number) => Promise<readonly string[]>,
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, MANAGE_RULES);
    const names = await work(tx, resolved.object.oid);
    if (names.length > 0)
      await kernel.events.emit('site.changed', { part: 'content-rules', id: '', change, names, path }, { tx, caller });
  });
}

/** Assigns a rule to a folder. Throws NotFound for an unknown rule. */
export const assignToFolder = (kernel: Kernel, request: FolderRequest, rule: string): Promise<void> =>
  changeFolder(kernel, request, 'assigned', async (tx, oid) => {
    if (!(await assignRule(tx, { oid, rule })))
      throw new NotFound(`/@controlpanels/content-rules/${rule.slice(0, 200)}`);
    return [rule];
  });

/** Assigns rules to the site root for everything below, switched on. Throws NotFound for an unknown rule. */
export const assignToSite = (kernel: Kernel, caller: Caller, rules: readonly string[]): Promise<void> =>
  changeFolder(kernel, { caller, path: '/' }, 'assigned', async (tx, oid) => {
    for (const rule of rules)
      if (!(await assignEverywhere(tx, oid, rule)))
        throw new NotFound(`/@controlpanels/content-rules/${rule.slice(0, 200)}`);
    return rules;
  });

/** Throws BadRequest for rules that the folder does not have. */
function requireAssigned(rules: readonly string[], assigned: readonly string[]): void {
  const missing = rules.find((rule) => !assigned.includes(rule));
  if (missing !== undefined) throw new BadRequest(`The rule "${missing.slice(0, 200)}" is not assigned here.`);
}

/** Switches assignments of a folder on or off, in the folder or for everything below. Throws BadRequest for rules that the folder does not have. */
export const switchAssignments = (
  kernel: Kernel,
  request: FolderRequest,
  { rules, ...switches }: { rules: readonly string[]; enabled?: boolean; bubbles?: boolean },
): Promise<void> =>
  changeFolder(kernel, request, 'switched', async (tx, oid) => {
    requireAssigned(rules, await changeAssignments(tx, { oid, rules, ...switches }));
    return rules;
  });

/** Moves a rule of a folder one place up or down; at the end it stays. Throws BadRequest for a rule that the folder does not have. */
export const moveAssignment = (
  kernel: Kernel,
  request: FolderRequest,
  { rule, direction }: { rule: string; direction: 'up' | 'down' },
): Promise<void> =>
  changeFolder(kernel, request, 'ordered', async (tx, oid) => {
    const order = await assignedRules(tx, oid);
    requireAssigned([rule], order);
    const from = order.indexOf(rule);
    const to = direction === 'up' ? from - 1 : from + 1;
    const other = order[to];
    if (other === undefined) return [];
    await orderAssignments(tx, oid, order.with(from, other).with(to, rule));
    return [rule];
  });

/** Removes rules from a folder, and ignores rules that it does not have. */
export const unassignFromFolder = (kernel: Kernel, request: FolderRequest, rules: readonly string[]): Promise<void> =>
  changeFolder(kernel, request, 'unassigned', (tx, oid) => unassignRules(tx, oid, rules));
