import type { requestBatches } from '#core';
import { isJsonObject, textOf } from '#lib/json-object';
import { BASE } from './allowed-writes.ts';
import { isPlanRequest, ruleOfPlan } from './plans.ts';

/** The requests of their stored JSON. */
export function parseRequests(json: string): requestBatches.Request[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new Error('The requests of a proposal are no list');
  return parsed.filter(isJsonObject).map(({ method, path, body }) => ({
    method: textOf(method),
    path: textOf(path),
    ...(isJsonObject(body) ? { body } : {}),
  }));
}

/** A path with one more parameter. */
export const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** Says if a path has the parameter `base`. */
export const hasBase = (path: string): boolean => new URLSearchParams(path.split('?').slice(1).join('?')).has(BASE);

/** A request for which a side counts at conflicts: `mine` is the proposal. A request that does not merge stays as it is. */
export function preferring<R extends requestBatches.Request>(request: R, prefer: 'mine' | 'theirs' | undefined): R {
  if (prefer === undefined) return request;
  if (isPlanRequest(request)) return { ...request, body: { ...request.body, conflicts: ruleOfPlan(prefer) } };
  return hasBase(request.path) ? { ...request, path: withParameter(request.path, 'on_conflict', prefer) } : request;
}
