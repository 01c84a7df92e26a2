import { type RequestContext, references, requests, type Service } from '#core';
import { BadRequest } from '#lib/errors';
import { isWholePlan, namedByPlan } from './plans.ts';
import type { TargetKind } from './statements/proposals.ts';

/** The writes that proposals and releases may have, by method and service, with what they do to the object at their address. */
export const WRITES: ReadonlyMap<string, TargetKind> = new Map([
  ['POST ', 'add'],
  ['PATCH ', 'change'],
  ['DELETE ', 'remove'],
  ['POST @move', 'add'],
  ['POST @copy', 'add'],
  ['POST @workflow', 'transition'],
]);

/** The effect of a write on the sources in its body. */
const OF_SOURCES: ReadonlyMap<string, TargetKind> = new Map([
  ['@move', 'remove'],
  ['@copy', 'view'],
]);

/** The parameter that a change may have. */
export const BASE = 'base';

const NOT_POSSIBLE =
  'This is not possible in a proposal. It may create, change, move, copy and remove content, make transitions, and apply a plan.';

/** Returns what a request does to the object at its address. Throws BadRequest for one that a proposal may not have. */
export function requireAllowed(service: Service, { searchParams }: Pick<RequestContext, 'searchParams'>): TargetKind {
  // The address of a plan is the root, which it changes only where its body says so.
  const kind = isWholePlan(service) ? 'view' : WRITES.get(`${service.method} ${service.name}`);
  if (kind === undefined) throw new BadRequest(NOT_POSSIBLE);
  const [other] = [...searchParams.keys()].filter((parameter) => kind !== 'change' || parameter !== BASE);
  if (other !== undefined)
    throw new BadRequest(
      `The parameter "${other.slice(0, 100)}" is not possible in a proposal: only "${BASE}" of a change.`,
    );
  return kind;
}

/** Objects that the body of a request names beside its address, as paths and UIDs, with what becomes of them. */
export type NamedSources = { kind: TargetKind; paths: string[]; uids: string[] };

/** The objects that the body of a request names. Throws BadRequest for a plan of which parts are not possible in a proposal. */
export function namedSources(
  service: Service,
  body: Readonly<Record<string, unknown>> | undefined,
  context: RequestContext,
): NamedSources[] {
  if (isWholePlan(service)) return namedByPlan(body);
  const kind = OF_SOURCES.get(service.name);
  if (kind === undefined) return [];
  const entries = [body?.source].flat().filter((entry) => typeof entry === 'string');
  const found = references.named(entries, requests.basesOf(context, requests.headerOf(context, 'host')));
  const paths = found.flatMap((source) => ('path' in source ? source.path : []));
  const uids = found.flatMap((source) => ('uid' in source ? source.uid : []));
  return [{ kind, paths, uids }];
}
