import type { requestBatches } from '#core';
import { isJsonObject } from '#lib/json-object';
import { hasBase, withParameter } from '../proposals/requests.ts';
import type { StoredPart } from './statements/parts.ts';
import type { Preferred } from './statements/releases.ts';

/** A part as a request with its number. */
export type PartRequest = requestBatches.Request & { number: number };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The request of a stored part. */
export function requestOf({ number, request }: Pick<StoredPart, 'number' | 'request'>): PartRequest {
  const parsed: unknown = JSON.parse(request);
  const { method, path, body } = isJsonObject(parsed) ? parsed : {};
  return { number, method: textOf(method), path: textOf(path), ...(isJsonObject(body) ? { body } : {}) };
}

/** The parameter with the side that counts at conflicts. */
export const ON_CONFLICT = 'on_conflict';

/** Says if a request is merged with what others have changed: a change with a base, and the check-in of a working copy. */
const isMerged = ({ method, path }: requestBatches.Request): boolean =>
  method === 'PATCH' && (hasBase(path) || /\/@workingcopy$/.test(path));

/** The request with the side that counts where it has changed the same as others. */
export const preferring = <R extends requestBatches.Request>(request: R, prefer: Preferred | undefined): R =>
  prefer !== undefined && isMerged(request)
    ? { ...request, path: withParameter(request.path, ON_CONFLICT, prefer) }
    : request;

/** A request that stands for the number of a part that is not there: it is never done. */
const NONE: requestBatches.Request = { method: 'GET', path: '/' };

/** Requests at the places of their numbers, so that references count these. `isThere` says which places have one. */
export function byNumber(requests: readonly PartRequest[]): {
  requests: requestBatches.Request[];
  isThere(number: number): boolean;
} {
  const found = new Map(requests.map((request) => [request.number, request]));
  const length = Math.max(-1, ...found.keys()) + 1;
  const places = Array.from({ length }, (_none, number) => {
    const { number: _number, ...request } = found.get(number) ?? { ...NONE, number };
    return request;
  });
  return { requests: places, isThere: (number) => found.has(number) };
}

/** The numbers of the parts that a request refers to. */
export function referredNumbers({ path, body }: requestBatches.Request): number[] {
  const inPath = [...path.matchAll(/\{(\d{1,3})\./g)];
  const inBody = [...JSON.stringify(body ?? {}).matchAll(/"\$ref":"(\d{1,3})\.|\{(\d{1,3})\./g)];
  return [...inPath, ...inBody].map(([, one, other]) => Number(one ?? other));
}
