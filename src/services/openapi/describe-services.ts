import type { JsonObject } from '../../lib/json-object.ts';
import type { Service } from '../service.ts';
import type { ServiceRegistry } from '../service-registry.ts';
import { documentOf } from './document-of.ts';

/** Documents in memory for one registry: there is one for each combination of roles that asks. */
const MOST = 32;

const built = new WeakMap<ServiceRegistry, Map<string, JsonObject>>();

/** What a document depends on besides the registry: for each service whether the caller, and whether Anonymous, may use it. */
const keyOf = (
  services: readonly Service[],
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): string => services.map((service) => (sees(service) ? (open(service) ? '2' : '1') : '0')).join('');

/**
 * The document of the services for which `sees` holds; `open` holds for those that Anonymous may use. Built once and
 * kept while it is among the last that were asked for. Nothing of the site goes into it but these two answers, so a
 * change of the configuration can make none of them wrong. Callers must not change what they get.
 */
export function describeServices(
  registry: ServiceRegistry,
  sees: (service: Service) => boolean,
  open: (service: Service) => boolean,
): JsonObject {
  const services = registry.all();
  const documents = built.get(registry) ?? new Map<string, JsonObject>();
  built.set(registry, documents);
  const key = keyOf(services, sees, open);
  const document =
    documents.get(key) ??
    documentOf(services, { visible: new Set(services.filter(sees)), open: new Set(services.filter(open)) });
  // The order of a map is that of insertion: the first key is the one that nobody asked for the longest.
  documents.delete(key);
  documents.set(key, document);
  const [oldest] = documents.keys();
  if (documents.size > MOST && oldest !== undefined) documents.delete(oldest);
  return document;
}
