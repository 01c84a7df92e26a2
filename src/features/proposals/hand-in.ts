import {
  type Caller,
  findContents,
  has,
  locate,
  merging,
  permissions,
  type RequestContext,
  type ResolvedNode,
  rehearsing,
  reject,
  requestBatches,
  type Service,
  VIEW,
  versions,
} from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { namedSources, requireAllowed } from './allowed-writes.ts';
import { hasBase, withParameter } from './requests.ts';
import { rehearsalAs, rehearsing as whoRehearses } from './rights.ts';
import { detailsFor, hasConflicts, seenAt } from './seen-conflicts.ts';
import { unnamedStates } from './statements/present-states.ts';
import type { Target, TargetKind } from './statements/proposals.ts';

/** Objects that the requests of a proposal touch. */
const MAX_TARGETS = 200;

/** Requests that were rehearsed: with their bases, what they touch, and what they would change. */
export type HandedIn = { requests: requestBatches.Request[]; targets: Target[]; changes: JsonObject[] };

type Touched = Pick<Target, 'request' | 'uid' | 'kind'>;

/** Notes the objects that requests touch, for a user who must be allowed to view and to propose. */
class Touching {
  readonly noted: Touched[] = [];
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Throws BadRequest for what a proposal may not do, Unauthorized or Forbidden without the right to propose it. */
  async admit(request: number, service: Service, context: RequestContext, body: JsonObject | undefined): Promise<void> {
    const kind = requireAllowed(service, context);
    const { resolved, kernel } = context;
    const { site } = context.lookup;
    for (const permission of [VIEW, permissions.PROPOSE])
      if (!has(site, this.#caller, resolved, permission)) reject(this.#caller);
    this.#note(request, resolved, kind);
    const sources = namedSources(service, body, context);
    if (!sources) return;
    if (sources.paths.length + sources.uids.length > MAX_TARGETS) throw tooMany();
    const byPath: ResolvedNode[] = [];
    for (const path of sources.paths) {
      const { resolved: source } = await locate(kernel, path);
      if (source) byPath.push(source);
    }
    const found = [...byPath, ...(await findContents(kernel.db, { uids: sources.uids }))];
    // The service passes over what the user may not view.
    for (const source of found) if (has(site, this.#caller, source, VIEW)) this.#note(request, source, sources.kind);
  }

  #note(request: number, { object: { uid } }: ResolvedNode, kind: TargetKind): void {
    const isKnown = this.noted.some((one) => one.request === request && one.uid === uid && one.kind === kind);
    if (!isKnown) this.noted.push({ request, uid, kind });
    if (this.noted.length > MAX_TARGETS) throw tooMany();
  }
}

const tooMany = (): BadRequest =>
  new BadRequest(`A proposal may touch ${MAX_TARGETS} objects at most: hand in several.`);

/** The requests with the present state as the base of each first change of an object that has none. */
function withBases(
  requests: readonly requestBatches.Request[],
  touched: readonly Touched[],
  nodes: ReadonlyMap<string, ResolvedNode>,
  states: ReadonlyMap<string, string>,
): requestBatches.Request[] {
  const changed = new Set<string>();
  return requests.map((request, number) => {
    const target = touched.find((one) => one.request === number && one.kind === 'change');
    // What the proposal itself makes has no state yet, and later changes of an object begin from the earlier ones.
    const node = target && nodes.get(target.uid);
    if (!node || changed.has(node.object.uid)) return request;
    changed.add(node.object.uid);
    if (hasBase(request.path)) return request;
    const state = states.get(node.object.uid) ?? merging.markOf(node.object.modified);
    return { ...request, path: withParameter(request.path, 'base', state) };
  });
}

/** The error of a rehearsal for its user: a conflict has only what the user may read without the proposal. */
async function asSeen(context: RequestContext, error: unknown, noted: readonly Touched[]): Promise<unknown> {
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
  const touching = new Touching(caller);
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
  const targets = touching.noted.flatMap((target): Target[] => {
    const node = nodes.get(target.uid);
    return node ? [{ ...target, path: node.object.path, modified: node.object.modified }] : [];
  });
  const states = await unnamedStates(context.kernel.db, { uids, types: versions.keptTypes(site) });
  return { requests: withBases(requests, touching.noted, nodes, states), targets, changes };
}
