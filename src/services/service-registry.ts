import type { TObject } from 'typebox';
import { Slot } from '../lib/slots.ts';
import { closestForm, partsOf, shapeOf } from './address-forms.ts';
import type { Method, Service } from './service.ts';

type Context = { site: boolean; folderish: boolean };
/** A service with what may follow its name, part by part. */
type Entry = { service: Service; forms: string[][] };

/** The most particular context first. */
const CONTEXTS = ['site', 'folderish', 'content'];

/** The services of a kernel. */
export const SERVICES = new Slot<ServiceRegistry>('services');

/** The services that the features of a kernel bring. */
export class ServiceRegistry {
  readonly #services: Service[] = [];
  readonly #byKey = new Map<string, Entry[]>();
  readonly #known = new Map<string, ReadonlySet<string> | undefined>();

  /** Adds a service. Throws when there is one for the same method, name, context and rest: a mistake of a programmer. */
  register(service: Service): void {
    const key = `${service.method} ${service.name}`;
    const known = this.#byKey.get(key) ?? [];
    const forms = (service.rest ?? ['']).map(partsOf);
    const shapes = forms.map(shapeOf);
    const clash = known.some(
      (other) =>
        other.service.context === service.context && other.forms.some((form) => shapes.includes(shapeOf(form))),
    );
    if (clash) throw new Error(`There are two services ${key} on ${service.context}`);
    this.#services.push(service);
    this.#byKey.set(key, [...known, { service, forms }]);
  }

  /** All services, in the order of their registration. */
  all(): readonly Service[] {
    return this.#services;
  }

  /**
   * The service for a request: the one for the most particular context that takes these segments behind its name. A
   * segment that a service names itself goes before one that it leaves open: `mail/test` before `{panel}/test`.
   */
  find(method: Method, name: string, context: Context, segments: readonly string[]): Service | undefined {
    const fitting = (this.#byKey.get(`${method} ${name}`) ?? []).flatMap((entry) => {
      const fit = isIn(entry.service, context) ? closestForm(entry.forms, segments)?.fit : undefined;
      return fit === undefined ? [] : [{ service: entry.service, fit }];
    });
    return fitting.sort(
      (a, b) => CONTEXTS.indexOf(a.service.context) - CONTEXTS.indexOf(b.service.context) || (a.fit < b.fit ? -1 : 1),
    )[0]?.service;
  }

  /**
   * The names of all parameters that count in a GET of the services of this name, but for those of representations; undefined
   * where any may count (`Service.ignoresOtherParameters`). All services are registered by then.
   */
  knownParameters(name: string): ReadonlySet<string> | undefined {
    const entries = this.#byKey.get(`GET ${name}`);
    // Anybody can invent any number of names that no service has.
    if (entries === undefined) return undefined;
    if (!this.#known.has(name)) this.#known.set(name, parametersOf(entries.map(({ service }) => service)));
    return this.#known.get(name);
  }

  /** Whether the responses of all services for a method and a name depend on nothing but what is stored. */
  isCacheable(method: Method, name: string): boolean {
    const entries = this.#byKey.get(`${method} ${name}`) ?? [];
    return entries.length > 0 && entries.every(({ service }) => service.cacheable);
  }

  /** Methods that a service of this name takes on an object of this kind. */
  methods(name: string, context: Context, segments: readonly string[]): Method[] {
    const all: Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
    return all.filter((method) => this.find(method, name, context, segments));
  }
}

const isIn = ({ context }: Service, { site, folderish }: Context): boolean =>
  context === 'content' || (context === 'folderish' && folderish) || (context === 'site' && site);

const parametersOf = (services: readonly Service[]): ReadonlySet<string> | undefined =>
  services.every(({ ignoresOtherParameters }) => ignoresOtherParameters)
    ? new Set(services.flatMap(({ query }) => Object.keys((query as TObject | undefined)?.properties ?? {})))
    : undefined;
