import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { packageFolder } from '../../../lib/process/process.ts';
import { AnyObject, Extensible } from '../schemas.ts';
import type { Method, Service } from '../service.ts';
import { mergeOperations, operationOf } from './operations.ts';
import { sharedResponses } from './responses.ts';
import type { NamedSchemas } from './schemas.ts';

/** One operation of the document: an address in OpenAPI's form, a method, and its services. */
type Route = {
  template: string;
  method: Method;
  operationId: string;
  /** Two services if containers have their own; the service of containers comes first. */
  services: Service[];
};

const CONTENT = '{path}';
/** The contexts, the most specific first; the first context that fits is used. */
const CONTEXTS = ['site', 'folderish', 'content'];

/** Addresses of a service: behind the root, and behind `{path}` unless it is a service of the site. */
function templatesOf({ name, context, rest = [''] }: Service): string[] {
  const places = context === 'site' ? [''] : ['', CONTENT];
  return rest.flatMap((form) =>
    // A path must not have two parts of the same name.
    places.map(
      (place) =>
        `/${[place, name, place === '' ? form : form.replaceAll(CONTENT, '{subpath}')].filter(Boolean).join('/')}`,
    ),
  );
}

const atRoot = (template: string): boolean => template !== `/${CONTENT}` && !template.startsWith(`/${CONTENT}/`);

/** All operations of the services. Every service has at least one operation unless more specific services hide it at all its addresses. */
export function routesOf(services: readonly Service[]): Route[] {
  const routes = new Map<string, Omit<Route, 'operationId'>>();
  const spellings = new Map<string, string>();
  for (const service of services) {
    for (const written of templatesOf(service)) {
      // Two addresses that differ only in the names of their parts are the same address, which OpenAPI allows once.
      const shape = written.replace(/\{\w+\}/g, '{}');
      const template = spellings.get(shape) ?? written;
      spellings.set(shape, template);
      const key = `${service.method} ${template}`;
      const route = routes.get(key) ?? { template, method: service.method, services: [] };
      route.services.push(service);
      routes.set(key, route);
    }
  }
  for (const { template, services: sharing } of routes.values()) {
    sharing.sort((a, b) => CONTEXTS.indexOf(a.context) - CONTEXTS.indexOf(b.context));
    if (atRoot(template)) sharing.splice(1);
  }
  return withIds([...routes.values()]);
}

function withIds(routes: Omit<Route, 'operationId'>[]): Route[] {
  const taken = new Set<string>();
  return routes.map((route) => {
    const wanted = operationName(route.method, route.template);
    let operationId = wanted;
    for (let i = 2; taken.has(operationId); i += 1) operationId = `${wanted}${i}`;
    taken.add(operationId);
    return { ...route, operationId };
  });
}

const capitalised = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Such as `getLock` for the root, `getLockAtPath`, `postWorkflowByTransitionAtPath`; the unnamed service is `Content`. */
function operationName(method: Method, template: string): string {
  const parts = template.split('/').filter((part) => part !== '');
  const [name = 'content', ...rest] = atRoot(template) ? parts : parts.slice(1);
  const behind = rest.map((part) => (part.startsWith('{') ? `By${capitalised(part)}` : capitalised(part)));
  return `${method.toLowerCase()}${capitalised(name)}${behind.join('')}${atRoot(template) ? '' : 'AtPath'}`;
}

const DESCRIPTION = `A hypermedia JSON API over a tree of content. Addresses are paths of content, the name of a service
may follow: \`/news/today/@lock\`. HEAD works wherever GET does. Dates are ISO 8601 in UTC. Listed here are the services
that the permissions of the caller at the site root allow; local roles may allow more further down.`.replaceAll(
  '\n',
  ' ',
);

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'Login name and password.' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token from POST `/@login`.' },
};

let version: string | undefined;

/** The version of this program. */
function versionOfProgram(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFolder('package.json'), 'utf8'));
  return isJsonObject(manifest) && typeof manifest.version === 'string' ? manifest.version : '0';
}

/** Adds what one route does to the paths. */
function addOperation(paths: Map<string, JsonObject>, template: string, method: string, operation: JsonObject): void {
  const item = paths.get(template) ?? {};
  item[method.toLowerCase()] = operation;
  paths.set(template, item);
}

/** The description of the API, without the address of the server. */
export const ApiDocument = Extensible({
  openapi: Type.String(),
  info: Extensible({ title: Type.String(), version: Type.String() }),
  paths: AnyObject(),
  components: AnyObject(),
});
export type ApiDocument = Static<typeof ApiDocument>;

/**
 * The OpenAPI 3.1 document of the services `visible`, without `servers`. `services` are all registered services: they decide which
 * service handles an address, independently of the reader. `open` are the services that Anonymous may use.
 */
export function documentOf(
  services: readonly Service[],
  { visible, open }: { visible: ReadonlySet<Service>; open: ReadonlySet<Service> },
): ApiDocument {
  version ??= versionOfProgram();
  const named: NamedSchemas = new Map();
  const paths = new Map<string, JsonObject>();
  const tags = new Set<string>();
  for (const { template, method, operationId, services: serving } of routesOf(services)) {
    const [first, ...others] = serving
      .filter((service) => visible.has(service))
      .map((service) => operationOf(service, { template, operationId, open: open.has(service) }, named));
    if (!first) continue;
    const operation = others.reduce(mergeOperations, first);
    for (const tag of Array.isArray(operation.tags) ? operation.tags : []) tags.add(String(tag));
    addOperation(paths, template, method, operation);
  }
  const responses = sharedResponses(named);
  return {
    openapi: '3.1.0',
    info: { title: 'Canopy', description: DESCRIPTION, version, license: { name: 'MIT', identifier: 'MIT' } },
    tags: [...tags].sort().map((name) => ({ name })),
    paths: Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries([...named].map(([name, { schema }]) => [name, schema])),
      responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
