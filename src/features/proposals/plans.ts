import { Value } from 'typebox/value';
import type { requestBatches, Service } from '#core';
import { BadRequest } from '#lib/errors';
import { isRight, ROOT_UID } from '../promote/forms/object-form.ts';
import { type ConflictRule, PlanEntry } from '../promote/forms/plan.ts';
import type { NamedSources } from './allowed-writes.ts';

/** The service that applies plans. */
const PLAN_SERVICE = '@promotion';
/** The end of its address. */
const PLAN_ADDRESS = /\/(?:@|%40)promotion\/?$/;
/** Objects of a plan that somebody reviews as one. */
const MAX_OBJECTS = 200;

/** Says if a service applies a plan in one request, not in parts. */
export const isWholePlan = ({ method, name, rest = [] }: Service): boolean =>
  method === 'POST' && name === PLAN_SERVICE && rest.length === 0;

/** Says if a request applies a plan. */
export const isPlanRequest = ({ method, path }: Pick<requestBatches.Request, 'method' | 'path'>): boolean =>
  method === 'POST' && PLAN_ADDRESS.test(path.split('?')[0] ?? '');

/** The rule of a plan for its conflicts, by the side that counts: `mine` is the plan. */
export const ruleOfPlan = (prefer: 'mine' | 'theirs'): ConflictRule => (prefer === 'mine' ? 'take' : 'keep');

/** The entries of a plan. Throws BadRequest where something else stands. */
function entriesOf(entries: unknown): PlanEntry[] {
  const found = Array.isArray(entries) ? entries : [];
  return found.map((entry: unknown, at) => {
    if (!Value.Check(PlanEntry, entry)) throw new BadRequest(`entries.${at} is no change of a plan.`);
    return entry;
  });
}

/** The containers that an entry brings something into, or takes something from. */
function containersOf(entry: PlanEntry): string[] {
  if (entry.change === 'created') return [entry.place.parent];
  if (entry.change === 'changed' && entry.place) return [entry.place.to.parent];
  return [];
}

/** Throws BadRequest for parts of a plan that are not content: they have no differences that reviewers see. */
function requireContent(body: Readonly<Record<string, unknown>>, entries: readonly PlanEntry[]): void {
  if (Array.isArray(body.setup) && body.setup.length > 0)
    throw new BadRequest(
      'A plan in a proposal has no changes of the set-up. Make it with --set-up=none, and apply the set-up by itself.',
    );
  const withRights = entries.find(
    (entry) => (entry.change === 'created' || entry.change === 'changed') && Object.keys(entry.settings).some(isRight),
  );
  if (withRights)
    throw new BadRequest(
      `A plan in a proposal has no local roles or permissions: ${withRights.path.slice(0, 200)} has some. Leave the object out, or apply the plan by itself.`,
    );
}

/** The objects that a plan is about, with what becomes of them. Throws BadRequest for a plan of which parts are not possible in a proposal. */
export function namedByPlan(body: Readonly<Record<string, unknown>> = {}): NamedSources[] {
  if (Array.isArray(body.entries) && body.entries.length > MAX_OBJECTS)
    throw new BadRequest(
      `A plan in a proposal has ${MAX_OBJECTS} objects at most. Make a plan for each part of the site with --path.`,
    );
  const entries = entriesOf(body.entries);
  requireContent(body, entries);
  const uidsOf = (...changes: PlanEntry['change'][]) =>
    entries.flatMap(({ change, uid }) => (changes.includes(change) ? [uid] : []));
  const moved = entries.flatMap((entry) => (entry.change === 'changed' && entry.place ? [entry.uid] : []));
  const containers = [...new Set(entries.flatMap(containersOf))];
  const named = containers.filter((uid) => uid !== ROOT_UID && uid !== '');
  return [
    { kind: 'change', paths: [], uids: uidsOf('changed', 'ordered').filter((uid) => uid !== ROOT_UID) },
    { kind: 'remove', paths: [], uids: [...uidsOf('removed'), ...moved] },
    { kind: 'add', paths: containers.includes(ROOT_UID) ? ['/'] : [], uids: named },
    ...(entries.some(({ uid }) => uid === ROOT_UID) ? [{ kind: 'change' as const, paths: ['/'], uids: [] }] : []),
  ];
}
