import { Type } from 'typebox';
import type { Site } from '../../configuration/site/site.ts';
import { has } from '../../content/permissions.ts';
import { ANONYMOUS, type Caller } from '../../security/caller.ts';
import { ok } from '../response.ts';
import { Address } from '../schemas.ts';
import { defineService, type RequestContext, type Service } from '../service.ts';
import type { ServiceRegistry } from '../service-registry.ts';
import { ApiDocument, documentOf } from './document.ts';
import { withTypes } from './typed-document.ts';

/** Maximum number of cached documents of one registry; each combination of permissions has a document. */
const MAX_DOCUMENTS = 32;

/** The cached documents of each registry, the least recently used first. */
const built = new WeakMap<ServiceRegistry, Map<string, ApiDocument>>();

/** Key of a document in the cache: says for each service if the caller, and if Anonymous, may use it. */
const keyOf = (
  services: readonly Service[],
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): string => services.map((service) => (sees(service) ? (open(service) ? '2' : '1') : '0')).join('');

/** Returns the document of a key, from the cache or a new one. */
function kept(documents: Map<string, ApiDocument>, key: string, make: () => ApiDocument): ApiDocument {
  const document = documents.get(key) ?? make();
  // A map keeps the order of insertion, so the first key is the least recently used one.
  documents.delete(key);
  documents.set(key, document);
  const [oldest] = documents.keys();
  if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
  return document;
}

/**
 * Returns the document of the services for which `sees` holds; `open` holds for the services that Anonymous may use. The last used documents are
 * cached. They contain no data of the site, so a change of the configuration does not make them outdated. Callers must not change the document.
 */
export function describeServices(
  registry: ServiceRegistry,
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): ApiDocument {
  const services = registry.all();
  const documents = built.get(registry) ?? new Map<string, ApiDocument>();
  built.set(registry, documents);
  return kept(documents, keyOf(services, sees, open), () =>
    documentOf(services, { visible: new Set(services.filter(sees)), open: new Set(services.filter(open)) }),
  );
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

/** The cached documents with content types, by the configuration of a site: a change of the configuration makes them outdated. */
const typed = new WeakMap<Site, Map<string, ApiDocument>>();

/** The permissions that fields of a site need and the caller lacks. */
function closedPermissions({ site, caller, resolved }: RequestContext): Set<string> {
  const fields = [...site.types.values()].flatMap((type) => type.fields);
  const names = new Set(fields.flatMap(({ read_permission: read, write_permission: write }) => [read, write]));
  return new Set(
    [...names]
      .filter((name) => name !== undefined && !has(site, caller, resolved, name))
      .map(String)
      .sort(),
  );
}

/**
 * The description of the API of a site for a caller, without `servers`. Logged-in users may see the content types (`@types`), so their description
 * has a schema for each type and direction. The last used documents are cached. Callers must not change a document.
 */
function describeSite(context: RequestContext): ApiDocument {
  const { services, kernel, site, caller } = context;
  const [sees, open] = [mayUse(context, caller), mayUse(context, ANONYMOUS)];
  const document = describeServices(services, sees, open);
  if (caller.id === null) return document;
  const documents = typed.get(site) ?? new Map<string, ApiDocument>();
  typed.set(site, documents);
  const closed = closedPermissions(context);
  return kept(documents, `${keyOf(services.all(), sees, open)} ${JSON.stringify([...closed])}`, () =>
    withTypes(document, kernel, site, (permission) => !closed.has(permission)),
  );
}

/** GET `@openapi`: the description of the API for this caller. */
const getOpenapi = defineService({
  name: '@openapi',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  context: 'site',
  permission: null,
  summary: 'Describes the services that the caller may use, as an OpenAPI 3.1 document.',
  responses: {
    200: {
      description: 'The document.',
      schema: Type.Intersect([ApiDocument, Type.Object({ servers: Type.Array(Type.Object({ url: Address })) })]),
    },
  },
  run: async (context) => ok({ ...describeSite(context), servers: [{ url: context.base }] }),
});

export const openapiServices: Service[] = [getOpenapi];
