import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { packageFolder } from '../../lib/process.ts';
import type { Service } from '../service.ts';
import { mergeOperations } from './merge-operations.ts';
import { operationOf } from './operation-of.ts';
import type { NamedSchemas } from './publish-schema.ts';
import { sharedResponses } from './responses.ts';
import { routesOf } from './routes-of.ts';

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

/**
 * The OpenAPI 3.1 document of `visible`, without `servers`. `services` are all that are registered: they decide which
 * of them serves an address, whoever looks. `open` are those that Anonymous may use.
 */
export function documentOf(
  services: readonly Service[],
  { visible, open }: { visible: ReadonlySet<Service>; open: ReadonlySet<Service> },
): JsonObject {
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
