import type { Method, Service } from './service.ts';

/** The services of the site: core registers with the same call as add-ons. */
export class ServiceRegistry {
  readonly #services: Service[] = [];
  readonly #byKey = new Map<string, Service[]>();

  /** Adds a service. Throws when there is one for the same method, name, context and rest: a mistake of a programmer. */
  register(service: Service): void {
    const key = `${service.method} ${service.name}`;
    const known = this.#byKey.get(key) ?? [];
    const clash = known.some(
      (other) => other.context === service.context && depths(other).some((depth) => depths(service).includes(depth)),
    );
    if (clash) throw new Error(`There are two services ${key} on ${service.context}`);
    this.#services.push(service);
    this.#byKey.set(key, [...known, service]);
  }

  /** All services, in the order of their registration. */
  all(): readonly Service[] {
    return this.#services;
  }

  /** The service for a request: the one for the most particular context that takes so many segments behind its name. */
  find(
    method: Method,
    name: string,
    context: { site: boolean; folderish: boolean },
    segments: number,
  ): Service | undefined {
    const fitting = (this.#byKey.get(`${method} ${name}`) ?? []).filter(
      (service) =>
        depths(service).includes(segments) &&
        (service.context === 'content' ||
          (service.context === 'folderish' && context.folderish) ||
          (service.context === 'site' && context.site)),
    );
    const order = ['site', 'folderish', 'content'];
    return fitting.sort((a, b) => order.indexOf(a.context) - order.indexOf(b.context))[0];
  }

  /** Methods that a service of this name takes on an object of this kind. */
  methods(name: string, context: { site: boolean; folderish: boolean }, segments: number): Method[] {
    const all: Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
    return all.filter((method) => this.find(method, name, context, segments));
  }
}

/** How many segments may follow the name of a service. */
const depths = ({ rest = [''] }: Service): number[] => rest.map((form) => (form === '' ? 0 : form.split('/').length));
