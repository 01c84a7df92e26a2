import { Forbidden, MethodNotAllowed, NotFound } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { isRoot } from '../content/locate.ts';
import { has, reject } from '../content/permissions.ts';
import { childPath, isAtOrBelow } from '../content/tree-path.ts';
import type { AccessLimits, AgentScope } from '../people/authenticator.ts';
import { USE_API } from '../security/permissions.ts';
import type { Method, RequestContext, Service } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { isWrite } from '../services/shared-writes.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { RequestAddress } from './request-address.ts';

const METHODS = new Set<string>(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

/** The properties of content that decide on its services. */
export const placeOf = (site: Site, { object }: ResolvedNode): { site: boolean; folderish: boolean } => ({
  site: isRoot(object),
  folderish: site.types.get(object.type)?.folderish ?? false,
});

/** The requested service. Throws NotFound for an unknown one, MethodNotAllowed when it has other methods only. */
export function dispatch(
  services: ServiceRegistry,
  method: string,
  address: RequestAddress,
  { site, resolved }: { site: Site; resolved: ResolvedNode },
): Service {
  const context = placeOf(site, resolved);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const service = METHODS.has(wanted)
    ? services.find(wanted as Method, address.service, context, address.rest)
    : undefined;
  if (service) return service;
  const allow = services.methods(address.service, context, address.rest);
  if (allow.length === 0) {
    const behind = [address.service, ...address.rest].filter((part) => part !== '').join('/');
    throw new NotFound(behind === '' ? address.path : childPath(address.path, behind));
  }
  throw new MethodNotAllowed(`${method} is not allowed here.`, allow);
}

/** Throws Forbidden when the limits of the credentials exclude the service or its address. */
export function requireWithinLimits(service: Service, { authentication, resolved }: RequestContext): void {
  const { limits, inPerson } = authentication;
  if (service.inPerson && !inPerson)
    throw new Forbidden('This takes somebody who has logged in: a token that was given to a program is not enough.');
  const scope = scopeOf(service);
  // Requests that a service sends to the API are checked against the limits themselves.
  const limited = service.asks ? { scopes: limits?.scopes } : limits;
  const problem = limited && limitProblem(limited, { ...service, scope, path: resolved.object.path });
  if (problem) throw new Forbidden(problem);
}

/** Returns the scope that the token of an agent needs for a service; null for a service that no agent may use. */
const scopeOf = (service: Service): AgentScope | null => service.scope ?? (isWrite(service) ? null : 'read');

/** A request as limits of credentials see it. An absent part is not limited. */
type LimitedRequest = {
  method?: string | undefined;
  name?: string;
  /** The scope of the service; null if no agent may use it. */
  scope?: AgentScope | null | undefined;
  path: string;
};

/** Returns the reason why these limits exclude a request; undefined when they allow it. */
export function limitProblem(
  { methods, services, paths, scopes }: AccessLimits,
  { method, name, scope, path }: LimitedRequest,
): string | undefined {
  if (scopes && scope === null) return 'The token is one of an agent. This takes a person.';
  if (scopes && scope && !scopes.includes(scope))
    return `The token of the agent is not good for this: it has ${scopes.length === 0 ? 'no scopes' : `the scopes ${scopes.join(', ')}`}, and this takes ${scope}.`;
  if (methods && method !== undefined && !methods.includes(method))
    return `The token is not good for ${method}: only for ${methods.join(', ')}.`;
  if (services && name !== undefined && !services.includes(name))
    return `The token is good for ${services.join(', ')} only.`;
  if (paths && !paths.some((top) => isAtOrBelow(path, top)))
    return 'The token is not good for this address: it was made for other parts of the site.';
  return undefined;
}

/** Throws Unauthorized or Forbidden unless the caller may use the API here and has the permission of the service. */
export async function authorise(service: Service, context: RequestContext): Promise<void> {
  const { site, caller, resolved } = context;
  if (!service.withoutApiPermission && !has(site, caller, resolved, USE_API)) reject(caller);
  const allowed = service.checkPermission
    ? await service.checkPermission(context)
    : service.permission === null || has(site, caller, resolved, service.permission);
  if (!allowed) reject(caller);
}
