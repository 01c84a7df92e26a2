import { findContents, type RequestContext, rehearsing, requestBatches, versions } from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { requireAllowed } from './allowed-writes.ts';
import { rehearsalAs, rehearsing as whoRehearses } from './rights.ts';
import { detailsFor, hasConflicts, seenAt } from './seen-conflicts.ts';
import { unnamedStates } from './statements/present-states.ts';
import type { Target } from './statements/proposals.ts';
import { type Touched, Touching, type TouchRules, targetsOf, withBases } from './touched.ts';

/** Objects that the requests of a proposal touch. */
const MAX_TARGETS = 200;

/** The rules of what a proposal may touch. */
const RULES: TouchRules = {
  kindOf: requireAllowed,
  maxTargets: MAX_TARGETS,
  tooMany: () => new BadRequest(`A proposal may touch ${MAX_TARGETS} objects at most: hand in several.`),
};

/** Requests that were rehearsed: with their bases, what they touch, and what they would change. */
export type HandedIn = { requests: requestBatches.Request[]; targets: Target[]; changes: JsonObject[] };

/** The error of a rehearsal for its user: a conflict has only what the user may read without the proposal. */
export async function asSeen(context: RequestContext, error: unknown, noted: readonly Touched[]): Promise<unknown> {
  if (!(error instanceof Conflict) || !hasConflicts(error)) return error;
  const { part = 0 } = error;
  const uids = noted.flatMap(({ request, uid, kind }) => (request === part && kind === 'change' ? [uid] : []));
  const [node] = await findContents(context.kernel.db, { uids });
  const seen = node && (await seenAt(context, context.caller, node.object.path));
  const shown = new Conflict(error.message, error.headers, detailsFor(part, error, seen));
  shown.part = part;
  return shown;
}

/**
 * Rehearses requests for the user who proposes them. Throws what the first that cannot work throws, and Unauthorized or Forbidden where the
 * user may not view or propose.
 */
export async function rehearseHandIn(
  context: RequestContext,
  requests: readonly requestBatches.Request[],
): Promise<HandedIn> {
  const { caller, site, base, performPart } = context;
  if (!performPart) throw new Error('A proposal is rehearsed in a transaction');
  const touching = new Touching(caller, RULES);
  const as = whoRehearses(site, caller);
  const work = (shared: RequestContext) =>
    requestBatches.perform(requests, {
      base,
      perform: (part, number) =>
        performPart(part, {
          within: rehearsalAs(shared, as),
          passesLocks: true,
          admit: (service, inner) => touching.admit(number, service, inner, part.body),
        }),
    });
  const { changes } = await rehearsing
    .run(context, work, { reader: caller, detail: 'known' })
    .catch(async (error: unknown) => {
      throw await asSeen(context, error, touching.noted);
    });
  const uids = [...new Set(touching.noted.map(({ uid }) => uid))];
  const nodes = new Map((await findContents(context.kernel.db, { uids })).map((node) => [node.object.uid, node]));
  const targets = targetsOf(touching.noted, nodes);
  const states = await unnamedStates(context.kernel.db, { uids, types: versions.keptTypes(site) });
  return { requests: withBases(requests, touching.noted, nodes, states), targets, changes };
}
