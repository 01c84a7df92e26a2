import {
  accounts,
  findContents,
  type RequestContext,
  rehearsing,
  requestBatches,
  requestsWithin,
  versions,
} from '#core';
import { BadRequest, ClientError, Conflict } from '#lib/errors';
import { asSeen } from '../proposals/hand-in.ts';
import { hasBase, withParameter } from '../proposals/requests.ts';
import { rehearsing as whoRehearses } from '../proposals/rights.ts';
import { hasConflicts } from '../proposals/seen-conflicts.ts';
import { unnamedStates } from '../proposals/statements/present-states.ts';
import { type Touched, Touching, targetsOf, withBases } from '../proposals/touched.ts';
import { isSetup, kindOfPart } from './allowed-parts.ts';
import { byNumber, ON_CONFLICT, type PartRequest, requestOf } from './requests.ts';
import type { PartTarget, StoredPart } from './statements/parts.ts';

/** Objects that the parts touch which one request adds. */
const MAX_TARGETS = 200;

/** A part that was rehearsed: with its base, and the objects that it touches. */
export type AddedPart = { request: PartRequest; isSetup: boolean; targets: PartTarget[] };

type Authentication = RequestContext['authentication'];

/** The user as one who rehearses parts. Agents may see what would happen, although they may not do it. */
function rehearser({ site, authentication }: Pick<RequestContext, 'site' | 'authentication'>): Authentication {
  const { agent: _agent, ...caller } = whoRehearses(site, authentication.caller, { merges: true });
  const limits = authentication.limits && { ...authentication.limits, scopes: undefined };
  return { ...authentication, limits, caller };
}

/** Those who rehearse the parts that are there: their authors, by number; the user who asks where an author is gone. */
async function authorsOf(
  context: RequestContext,
  parts: readonly StoredPart[],
  own: Authentication,
): Promise<(number: number) => Authentication> {
  const { kernel, site } = context;
  const byAuthor = new Map<string | null, Authentication>([[null, own]]);
  for (const { author } of parts) {
    if (byAuthor.has(author) || author === null) continue;
    const account = await accounts.load(kernel.db, author);
    byAuthor.set(author, account ? rehearser({ site, authentication: requestsWithin.onBehalfOf(account) }) : own);
  }
  const byPart = new Map(parts.map(({ number, author }) => [number, byAuthor.get(author) ?? own]));
  return (number) => byPart.get(number) ?? own;
}

/** Rehearses the parts that are there and then new ones. Returns what the new ones touch, and which are of the set-up. */
async function rehearseAll(
  context: RequestContext,
  present: readonly StoredPart[],
  added: readonly PartRequest[],
): Promise<{ noted: Touched[]; setup: Set<number> }> {
  const { caller } = context;
  const own = rehearser(context);
  const actorOf = await authorsOf(context, present, own);
  const isNew = new Set(added.map(({ number }) => number));
  const setup = new Set<number>();
  const { requests, isThere } = byNumber([...present.map(requestOf), ...added]);
  let number = 0;
  let touching: Touching | undefined;
  const touch = (): Touching =>
    (touching ??= new Touching(caller, {
      kindOf: (service, inner) => kindOfPart(service, inner),
      maxTargets: MAX_TARGETS,
      tooMany: () => new BadRequest(`New parts may touch ${MAX_TARGETS} objects at once: add fewer.`),
    }));
  const work = (shared: RequestContext) => {
    const sender = requestsWithin.partsOf(shared);
    return requestBatches.perform(requests, {
      base: sender.base,
      isWanted: isThere,
      async perform(part, at) {
        number = at;
        if (isNew.has(at))
          return sender.perform(own, part, {
            passesLocks: true,
            async admit(service, inner) {
              kindOfPart(service, inner, { body: part.body });
              if (isSetup(service)) setup.add(at);
              await touch().admit(at, service, inner, part.body);
            },
          });
        try {
          return await sender.perform(actorOf(at), part, { passesLocks: true });
        } catch (error) {
          if (!(error instanceof Conflict) || !hasConflicts(error)) throw error;
          const target = withParameter(part.target, ON_CONFLICT, 'mine');
          return sender.perform(actorOf(at), { ...part, target }, { passesLocks: true });
        }
      },
    });
  };
  try {
    await rehearsing.run(context, work, { reader: caller, detail: 'known' });
  } catch (error) {
    if (error instanceof ClientError && !isNew.has(number))
      throw new Conflict(`Part ${number} of the release does not work any more. Change or remove it first.`);
    throw await asSeen(context, error, touching?.noted ?? []);
  }
  return { noted: touching?.noted ?? [], setup };
}

/** True for a change of content itself, which can have a base. */
const isEdit = ({ method, path }: PartRequest): boolean => method === 'PATCH' && !/\/@/.test(path);

/** True for the error of a rehearsal in which a new part conflicts with what is there. */
const isConflict = (error: unknown): boolean => error instanceof Conflict && hasConflicts(error);

/**
 * Rehearses new parts of a release behind those that are there, for the user who adds them. A change gets the present state of its object as its
 * base, so that it is merged with later changes of others. Throws what the first throws that cannot work, and Unauthorized or Forbidden where
 * the user may not view or propose.
 */
export async function rehearseNewParts(
  context: RequestContext,
  present: readonly StoredPart[],
  added: readonly PartRequest[],
): Promise<AddedPart[]> {
  const { kernel, site } = context;
  const { noted, setup } = await rehearseAll(context, present, added);
  const uids = [...new Set(noted.map(({ uid }) => uid))];
  const nodes = new Map((await findContents(kernel.db, { uids })).map((node) => [node.object.uid, node]));
  const states = await unnamedStates(kernel.db, { uids, types: versions.keptTypes(site) });
  const based = added.map((request) => {
    if (!isEdit(request)) return request;
    const own = noted.filter((one) => one.request === request.number).map((one) => ({ ...one, request: 0 }));
    const [named] = withBases([request], own, nodes, states);
    return { ...request, path: named?.path ?? request.path };
  });
  const before = new Set(present.flatMap(({ targets }) => targets.map(({ uid }) => uid)));
  const isChangedAgain = (request: PartRequest, at: number): boolean => {
    const touched = noted.filter((one) => one.request === request.number && one.kind === 'change');
    const earlier = noted.filter((one) => one.request < request.number && one.kind === 'change');
    return (
      hasBase(based[at]?.path ?? '') &&
      touched.some(({ uid }) => before.has(uid) || earlier.some((one) => one.uid === uid))
    );
  };
  // The release itself has changed the same before: then a base would make each publication a conflict.
  let tried = based;
  for (const [at, request] of added.entries())
    if (isChangedAgain(request, at) && !hasBase(request.path)) {
      try {
        await rehearseAll(context, present, tried.slice(0, at + 1));
      } catch (error) {
        if (!isConflict(error)) throw error;
        tried = tried.map((one, i) => (i === at ? request : one));
      }
    }
  return tried.map((request) => ({
    request,
    isSetup: setup.has(request.number),
    targets: targetsOf(
      noted.filter((one) => one.request === request.number),
      nodes,
    ).map(({ request: _request, ...target }) => target),
  }));
}
