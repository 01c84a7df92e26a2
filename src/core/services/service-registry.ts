import type { TObject } from 'typebox';
import { Slot } from '../../lib/slots.ts';
import { canBeServiceName, fitOf, haveSameAddresses, isFitting, partsOf } from './address-forms.ts';
import type { Method, Service } from './service.ts';

type Context = { site: boolean; folderish: boolean };
/** A service with a form of the segments that may follow its name. */
type Route = { service: Service; form: readonly string[]; fit: string };

/** How responses to a GET of the services of a name are cached. */
export type CachingByName = {
  /**
   * The names of all parameters that count, except those of representations; undefined if any parameter may count
   * (`Service.ignoresOtherParameters`).
   */
  parameters: ReadonlySet<string> | undefined;
  variant: Service['variant'];
};

/** The most particular context first. */
const CONTEXTS = ['site', 'folderish', 'content'];

/** The services of a kernel. */
export const SERVICES = new Slot<ServiceRegistry>('services');

/** The services that the features of a kernel bring. */
export class ServiceRegistry {
  readonly #services: Service[] = [];
  /** By method and name, in the order in which they go before each other. */
  readonly #routes = new Map<string, readonly Route[]>();
  readonly #cachings = new Map<string, CachingByName>();

  /**
   * Adds a service. Throws when requests cannot reach it, and when another service of its method and name takes some of the same addresses: a mistake
   * of a programmer, unless the service that goes first there declares `overrides`.
   */
  register(service: Service): void {
    const key = `${service.method} ${service.name}`;
    if (!canBeServiceName(service.name))
      throw new Error(`No request can reach the service ${key}: its name must begin with @ and have no slash`);
    const known = this.#routes.get(key) ?? [];
    const routes = (service.rest ?? ['']).map(partsOf).map((form): Route => ({ service, form, fit: fitOf(form) }));
    for (const route of routes)
      for (const other of known) {
        const taken = clashOf(route, other);
        if (taken !== undefined) throw new Error(`There are two services ${key}${taken}`);
      }
    this.#services.push(service);
    this.#routes.set(key, [...known, ...routes].sort(inOrder));
  }

  /** All services, in the order of their registration. */
  all(): readonly Service[] {
    return this.#services;
  }

  /**
   * Finds the service for a request: of the services that take these segments behind their name, the one for the most specific context. A literal
   * segment goes before an open part: `mail/test` before `{panel}/test`.
   */
  find(method: Method, name: string, context: Context, segments: readonly string[]): Service | undefined {
    const routes = this.#routes.get(`${method} ${name}`);
    return routes?.find(({ service, form }) => isIn(service, context) && isFitting(form, segments))?.service;
  }

  /**
   * How responses to a GET of the services of this name are cached; undefined for an unknown name, as clients can invent any number of them. Call it
   * after all services are registered.
   */
  cachingOf(name: string): CachingByName | undefined {
    const known = this.#cachings.get(name);
    if (known !== undefined) return known;
    const services = this.#routes.get(`GET ${name}`)?.map(({ service }) => service);
    if (services === undefined) return undefined;
    const caching = { parameters: parametersOf(services), variant: services[0]?.variant };
    this.#cachings.set(name, caching);
    return caching;
  }

  /** Says if the responses of all services for a method and a name depend only on stored data. */
  isCacheable(method: Method, name: string): boolean {
    const routes = this.#routes.get(`${method} ${name}`) ?? [];
    return routes.length > 0 && routes.every(({ service }) => service.cacheable);
  }

  /** Methods of the services of this name on an object of this kind. */
  methods(name: string, context: Context, segments: readonly string[]): Method[] {
    const all: Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
    return all.filter((method) => this.find(method, name, context, segments));
  }
}

/**
 * The contexts where two services of one method and name take the same addresses, as the end of a sentence; undefined when they do not clash, or the
 * service that goes first declares `overrides`. At the root, any two contexts meet, because the root has `site`, `folderish` and `content`.
 */
function clashOf(a: Route, b: Route): string | undefined {
  const order = inOrder(a, b);
  if (!haveSameAddresses(a.form, b.form) || (order !== 0 && (order < 0 ? a : b).service.overrides)) return undefined;
  const behind = a.form.length > 0 ? ` with /${a.form.join('/')}` : '';
  if (order === 0) return `${behind} on ${a.service.context}`;
  const contexts = [...new Set([b.service.context, a.service.context])].join(' and ');
  return `${behind} on ${contexts}: take another name, or let the one that goes first say "overrides: true"`;
}

/** Compares routes of one method and name: below 0 when `a` goes first where both fit. */
function inOrder(a: Route, b: Route): number {
  const rank = CONTEXTS.indexOf(a.service.context) - CONTEXTS.indexOf(b.service.context);
  return rank || (a.fit === b.fit ? 0 : a.fit < b.fit ? -1 : 1);
}

const isIn = ({ context }: Service, { site, folderish }: Context): boolean =>
  context === 'content' || (context === 'folderish' && folderish) || (context === 'site' && site);

const parametersOf = (services: readonly Service[]): ReadonlySet<string> | undefined =>
  services.every(({ ignoresOtherParameters }) => ignoresOtherParameters)
    ? new Set(services.flatMap(({ query }) => Object.keys((query as TObject | undefined)?.properties ?? {})))
    : undefined;
