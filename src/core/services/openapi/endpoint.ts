import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { ANONYMOUS, type Caller } from '../../security/caller.ts';
import { ok } from '../response.ts';
import { Address } from '../schemas.ts';
import { defineService, type RequestContext, type Service } from '../service.ts';
import type { ServiceRegistry } from '../service-registry.ts';
import { ApiDocument, documentOf } from './document.ts';

/** The most cached documents of one registry: there is one for each combination of permissions. */
const MAX_DOCUMENTS = 32;

/** The cached documents of each registry, the least recently used first. */
const built = new WeakMap<ServiceRegistry, Map<string, ApiDocument>>();

/** Key of a document in the cache: for each service if the caller, and if Anonymous, may use it. */
const keyOf = (
  services: readonly Service[],
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): string => services.map((service) => (sees(service) ? (open(service) ? '2' : '1') : '0')).join('');

/**
 * Returns the document of the services for which `sees` holds; `open` holds for those that Anonymous may use. The last used
 * documents are cached. They depend on nothing else of the site, so a change of the configuration does not make them outdated.
 * Callers must not change the document.
 */
export function describeServices(
  registry: ServiceRegistry,
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): ApiDocument {
  const services = registry.all();
  const documents = built.get(registry) ?? new Map<string, ApiDocument>();
  built.set(registry, documents);
  const key = keyOf(services, sees, open);
  const document =
    documents.get(key) ??
    documentOf(services, { visible: new Set(services.filter(sees)), open: new Set(services.filter(open)) });
  // The order of a map is that of insertion: the first key is the one that nobody asked for the longest.
  documents.delete(key);
  documents.set(key, document);
  const [oldest] = documents.keys();
  if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
  return document;
}

/** Says if a caller has the permission of a service on the object of the request. Each permission is looked up once. */
function mayUse({ site, resolved }: RequestContext, caller: Caller): (service: Service) => boolean {
  const known = new Map<string, boolean>();
  return ({ permission }) => {
    if (permission === null) return true;
    const allowed = known.get(permission) ?? has(site, caller, resolved, permission);
    known.set(permission, allowed);
    return allowed;
  };
}

/** GET `@openapi`: the description of the API for this caller. */
const getOpenapi = defineService({
  name: '@openapi',
  method: 'GET',
  context: 'site',
  permission: null,
  summary: 'Describes the services that the caller may use, as an OpenAPI 3.1 document.',
  responses: {
    200: {
      description: 'The document.',
      schema: Type.Intersect([ApiDocument, Type.Object({ servers: Type.Array(Type.Object({ url: Address })) })]),
    },
  },
  run: async (context) => {
    const document = describeServices(context.services, mayUse(context, context.caller), mayUse(context, ANONYMOUS));
    return ok({ ...document, servers: [{ url: context.base }] });
  },
});

export const openapiServices: Service[] = [getOpenapi];
