import {
  type Caller,
  has,
  locate,
  permissions,
  type RequestContext,
  rehearsing,
  requestBatches,
  type Service,
  urlOf,
} from '#core';
import { ClientError, Conflict } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { requireAllowed } from './allowed-writes.ts';
import { withParameter } from './requests.ts';
import { rehearsalAs } from './rights.ts';

/** A part of an object that both the proposal and others have changed. */
type FoundConflict = JsonObject & { request: number };

/** The first request that does not work any more. */
type Problem = { request: number; status: number; type: string; message: string };

/** The outcome of an approval at this moment. */
export type Trial = { changes: JsonObject[]; conflicts: FoundConflict[]; problem: Problem | null };

/** Conflicts in a report. */
const MAX_CONFLICTS = 100;

/** The object that a request is about, as far as the reader may see it. */
type Seen = { '@id': string; fields: ReadonlySet<string>; hasVersions: boolean };

/** Returns what the reader sees of the object of a request; undefined for one that it may not view. */
async function seenAt(
  { performPart, ...context }: RequestContext,
  reader: Caller,
  path: string,
): Promise<Seen | undefined> {
  if (!performPart) return undefined;
  const within = { ...context, caller: reader, authentication: { ...context.authentication, caller: reader } };
  try {
    const { body } = await performPart({ method: 'GET', target: urlOf('', path) || '/', headers: {} }, { within });
    const { site, resolved } = await locate(context.kernel, path);
    if (!isJsonObject(body) || typeof body['@id'] !== 'string' || !resolved) return undefined;
    const hasVersions = has(site, reader, resolved, permissions.ACCESS_VERSIONS);
    return { '@id': body['@id'], fields: new Set(Object.keys(body)), hasVersions };
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** The parts of a conflict as the reader may see them: of fields that it may not read, and of objects that it may not view, none. */
function conflictsOf(request: number, { details }: Conflict, seen: Seen | undefined): FoundConflict[] {
  if (!seen) return [{ request }];
  const parts: unknown = details.conflicts;
  return (Array.isArray(parts) ? parts : []).filter(isJsonObject).flatMap((part): FoundConflict[] => {
    if (typeof part.field !== 'string' || !seen.fields.has(part.field)) return [{ request, '@id': seen['@id'] }];
    const { base, ...others } = part;
    return [{ request, '@id': seen['@id'], ...others, ...(seen.hasVersions ? { base } : {}) }];
  });
}

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
            if (!(error instanceof Conflict) || !Array.isArray(error.details.conflicts)) throw error;
            const seen = await seenAt(shared, reader, path);
            conflicts.push(...conflictsOf(number, error, seen).slice(0, MAX_CONFLICTS - conflicts.length));
            return performPart(
              { ...part, target: withParameter(part.target, 'on_conflict', 'mine') },
              { within, passesLocks: true },
            );
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
