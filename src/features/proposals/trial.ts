import { type Caller, type RequestContext, rehearsing, requestBatches, type Service } from '#core';
import { ClientError, Conflict } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { requireAllowed } from './allowed-writes.ts';
import { preferring } from './requests.ts';
import { rehearsalAs } from './rights.ts';
import { conflictsOf, type FoundConflict, hasConflicts, seenAt } from './seen-conflicts.ts';

/** The first request that does not work any more. */
type Problem = { request: number; status: number; type: string; message: string };

/** The outcome of an approval at this moment. */
export type Trial = { changes: JsonObject[]; conflicts: FoundConflict[]; problem: Problem | null };

/** Conflicts in a report. */
const MAX_CONFLICTS = 100;

/**
 * Performs the requests of a proposal in a transaction that is rolled back, as `actor`, and reports to `reader`. A conflict does not end it:
 * the proposal counts there.
 */
export async function tryOut(
  context: RequestContext,
  requests: readonly requestBatches.Request[],
  { actor, reader }: { actor: Caller; reader: Caller },
): Promise<Trial> {
  const { base, performPart } = context;
  if (!performPart) throw new Error('A proposal is tried in a transaction');
  const conflicts: FoundConflict[] = [];
  const run = async (shared: RequestContext): Promise<Problem | null> => {
    const within = rehearsalAs(shared, actor);
    try {
      await requestBatches.perform(requests, {
        base,
        async perform(part, number) {
          let path = '/';
          const admit = (service: Service, inner: RequestContext) => {
            requireAllowed(service, inner);
            path = inner.resolved.object.path;
          };
          try {
            return await performPart(part, { within, admit, passesLocks: true });
          } catch (error) {
            if (!(error instanceof Conflict) || !hasConflicts(error)) throw error;
            const seen = await seenAt(shared, reader, path);
            conflicts.push(...conflictsOf(number, error, seen).slice(0, MAX_CONFLICTS - conflicts.length));
            const { path: target, body } = preferring({ ...part, path: part.target }, 'mine');
            return performPart({ ...part, target, ...(body && { body }) }, { within, passesLocks: true });
          }
        },
      });
      return null;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return { request: error.part ?? 0, status: error.status, type: error.type, message: error.message };
    }
  };
  const { result: problem, changes } = await rehearsing.run(context, run, { reader, detail: 'known' });
  return { changes, conflicts, problem };
}
