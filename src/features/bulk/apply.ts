import {
  type Caller,
  has,
  inSavepoint,
  type Kernel,
  locate,
  locateAllForWrite,
  references,
  requests,
  type Transaction,
  VIEW,
} from '#core';
import { ClientError, Forbidden, NotFound, Unauthorized } from '#lib/errors';
import type { DoneObject, Operation, Selected, Subject } from './changes/operation.ts';
import type { Outcome } from './statements.ts';

/** Limits of credentials; an absent member limits nothing. */
export type Limits = { methods?: readonly string[] | undefined; paths?: readonly string[] | undefined };

/** The actor of a change: the caller, and the limits of the credentials of the request. `method` is the method that would change one object. */
export type Maker = { caller: Caller; limits: Limits; method: string };

/** Characters of a reason in a report. */
const MAX_REASON_LENGTH = 500;

const refused = ({ type, message }: ClientError): Outcome => ({
  outcome: 'refused',
  target: null,
  type,
  reason: message.slice(0, MAX_REASON_LENGTH).toWellFormed(),
});

const NOT_FOUND = 'There is no such content, or you may not view it.';

/** The error for missing content, and for content that the caller may not view. */
export const isMissing = (path: string): NotFound => new NotFound(path, NOT_FOUND);

/** An error for the caller's missing right without further details. */
const withoutRight = (error: ClientError): ClientError =>
  error instanceof Unauthorized ? new Forbidden(error.message) : error;

/** The paths of objects at present, by their UIDs. */
const pathsNow = (tx: Transaction, objects: readonly Selected[]): Promise<Map<string, string>> =>
  references.pathsOfUids(
    tx,
    objects.map(({ uid }) => uid),
  );

/**
 * Locks all objects and the container in the order of all writers, so that two changes of the same content wait for each other and never in a circle.
 * Objects may have moved before they are locked, so each is looked up again before it is changed.
 */
async function lockAll(
  kernel: Kernel,
  tx: Transaction,
  { container }: Operation,
  objects: readonly Selected[],
): Promise<void> {
  const paths = await pathsNow(tx, objects);
  const target = container && (await references.pathsOfUids(tx, [container.uid])).get(container.uid);
  await locateAllForWrite(kernel, tx, [
    ...[...paths.values()].map((path) => ({ path, lockMode: 'change' as const })),
    ...(container && target !== undefined ? [{ path: target, lockMode: container.lockMode }] : []),
  ]);
}

/** Throws unless the credentials are good for a change at a path. */
function requireWithin({ limits, method }: Maker, path: string): void {
  const { methods, paths } = limits;
  const problem = requests.limitProblem(
    { ...(methods ? { methods } : {}), ...(paths ? { paths } : {}) },
    { method, path },
  );
  if (problem) throw new Forbidden(problem);
}

/** Changes one object, in a part of the transaction that is rolled back if the change is rejected. */
async function changeOne(
  place: Omit<Subject, 'site' | 'resolved'>,
  operation: Operation,
  maker: Maker,
  { uid, path }: Selected,
  before: readonly DoneObject[],
): Promise<Outcome> {
  const present = (await references.pathsOfUids(place.tx, [uid])).get(uid);
  const lead = before.find((other) => operation.wentAlong?.({ uid, path, present }, other));
  if (lead) return { outcome: lead.outcome, target: null, type: null, reason: `It goes along with ${lead.path}.` };
  const { site, resolved } = await locate(place.kernel, present ?? path, place.tx);
  if (resolved?.object.uid !== uid || !has(site, maker.caller, resolved, VIEW)) throw isMissing(path);
  requireWithin(maker, resolved.object.path);
  const { changed, target } = await operation.apply({ ...place, site, resolved });
  return { outcome: changed ? 'changed' : 'unchanged', target: target ?? null, type: null, reason: null };
}

/**
 * Changes objects, one after the other, in a transaction; a rejected change is rolled back alone. `before` are the objects of the selection that were
 * done in earlier transactions. Returns the outcomes in the order of the objects.
 */
export async function changeObjects(
  kernel: Kernel,
  tx: Transaction,
  {
    operation,
    maker,
    objects,
    before,
  }: {
    operation: Operation;
    maker: Maker;
    objects: readonly Selected[];
    before: readonly DoneObject[];
  },
): Promise<Outcome[]> {
  await lockAll(kernel, tx, operation, objects);
  const done = [...before];
  const outcomes: Outcome[] = [];
  for (const object of objects) {
    try {
      const outcome = await inSavepoint(tx, (part) =>
        changeOne({ kernel, tx: part, caller: maker.caller }, operation, maker, object, done),
      );
      const { outcome: result, target } = outcome;
      if (result !== 'refused') done.push({ path: object.path, target, outcome: result });
      outcomes.push(outcome);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      outcomes.push(refused(withoutRight(error)));
    }
  }
  return outcomes;
}
