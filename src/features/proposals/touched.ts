import {
  type Caller,
  findContents,
  has,
  type Kernel,
  locate,
  merging,
  permissions,
  type RequestContext,
  type ResolvedNode,
  reject,
  type requestBatches,
  type Service,
  VIEW,
} from '#core';
import type { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { type NamedSources, namedSources } from './allowed-writes.ts';
import { isPlanRequest } from './plans.ts';
import { hasBase, withParameter } from './requests.ts';
import type { Target, TargetKind } from './statements/proposals.ts';

/** An object that a request touches. */
export type Touched = Pick<Target, 'request' | 'uid' | 'kind'>;

/** The rules of what requests may touch. `kindOf` throws BadRequest for a request that is not possible. */
export type TouchRules = {
  kindOf(service: Service, context: RequestContext): TargetKind;
  maxTargets: number;
  tooMany(): BadRequest;
};

/** Notes the objects that requests touch, for a user who must be allowed to view and to propose. */
export class Touching {
  readonly noted: Touched[] = [];
  readonly #caller: Caller;
  readonly #rules: TouchRules;

  constructor(caller: Caller, rules: TouchRules) {
    this.#caller = caller;
    this.#rules = rules;
  }

  /** Throws BadRequest for what the rules do not allow, Unauthorized or Forbidden without the right to propose it. */
  async admit(request: number, service: Service, context: RequestContext, body: JsonObject | undefined): Promise<void> {
    const kind = this.#rules.kindOf(service, context);
    const { resolved, kernel } = context;
    const { site } = context.lookup;
    for (const permission of [VIEW, permissions.PROPOSE])
      if (!has(site, this.#caller, resolved, permission)) reject(this.#caller);
    this.#note(request, resolved, kind);
    const named = namedSources(service, body, context);
    const count = named.reduce((sum, { paths, uids }) => sum + paths.length + uids.length, 0);
    if (count > this.#rules.maxTargets) throw this.#rules.tooMany();
    // The service passes over what the user may not view.
    for (const sources of named)
      for (const source of await this.#find(kernel, sources))
        if (has(site, this.#caller, source, VIEW)) this.#note(request, source, sources.kind);
  }

  async #find(kernel: Kernel, { paths, uids }: NamedSources): Promise<ResolvedNode[]> {
    const byPath: ResolvedNode[] = [];
    for (const path of paths) {
      const { resolved: source } = await locate(kernel, path);
      if (source) byPath.push(source);
    }
    return [...byPath, ...(await findContents(kernel.db, { uids }))];
  }

  #note(request: number, { object: { uid } }: ResolvedNode, kind: TargetKind): void {
    const isKnown = this.noted.some((one) => one.request === request && one.uid === uid && one.kind === kind);
    if (!isKnown) this.noted.push({ request, uid, kind });
    if (this.noted.length > this.#rules.maxTargets) throw this.#rules.tooMany();
  }
}

/** The targets that were noted, as they are at present. Those that are gone, or made by the requests, are left out. */
export const targetsOf = (noted: readonly Touched[], nodes: ReadonlyMap<string, ResolvedNode>): Target[] =>
  noted.flatMap((target): Target[] => {
    const node = nodes.get(target.uid);
    return node ? [{ ...target, path: node.object.path, modified: node.object.modified }] : [];
  });

/** The requests with the present state as the base of each first change of an object that has none. */
export function withBases(
  requests: readonly requestBatches.Request[],
  touched: readonly Touched[],
  nodes: ReadonlyMap<string, ResolvedNode>,
  states: ReadonlyMap<string, string>,
): requestBatches.Request[] {
  const changed = new Set<string>();
  return requests.map((request, number) => {
    // A plan has the state that each of its changes begins from.
    if (isPlanRequest(request)) return request;
    const target = touched.find((one) => one.request === number && one.kind === 'change');
    // New objects of the proposal have no state yet. Later changes of an object begin from its earlier changes.
    const node = target && nodes.get(target.uid);
    if (!node || changed.has(node.object.uid)) return request;
    changed.add(node.object.uid);
    if (hasBase(request.path)) return request;
    const state = states.get(node.object.uid) ?? merging.markOf(node.object.modified);
    return { ...request, path: withParameter(request.path, 'base', state) };
  });
}
