import { readFileSync } from 'node:fs';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import type { Engine } from '../support/engines.ts';
import { type Json, type RequestOptions, startTestSite, type TestSite } from '../support/site.ts';

export type ComponentSite = TestSite & {
  /** The body of a response with status 200. */
  read(path: string, options?: RequestOptions): Promise<Json>;
  /** One component, expanded in the representation of an object. */
  component(path: string, name: string, query?: string, options?: RequestOptions): Promise<Json>;
  /** Creates content and returns its representation and path. */
  create(container: string, data: Record<string, unknown>): Promise<Json & { path: string }>;
  publish(...paths: string[]): Promise<void>;
  /** Changes some settings of a control panel. */
  configure(panel: string, values: Record<string, unknown>): Promise<void>;
  /** Lets a type of the default profile be added in every container. */
  allowEverywhere(type: string): Promise<void>;
  /** The names of the SQL statements that a request runs. */
  statements(path: string, options?: RequestOptions): Promise<string[]>;
};

/** Throws unless the exchange has the status. */
function requirePermission(status: number, exchange: Awaited<ReturnType<TestSite['request']>>): Json {
  if (exchange.status !== status) throw new Error(`${exchange.status} instead of ${status}: ${exchange.text}`);
  return exchange.body;
}

/** A running site with helpers for tests of components. */
export async function startComponentSite(engine: Engine): Promise<ComponentSite> {
  let database: CountingDatabase;
  const site = await startTestSite(engine, {
    environment: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' },
    wrap(db) {
      database = new CountingDatabase(db);
      return database;
    },
  });
  const read: ComponentSite['read'] = async (path, options) =>
    requirePermission(200, await site.request('GET', path, options));
  return {
    ...site,
    read,
    async component(path, name, query = '', options = {}) {
      const body = await read(`${path}?expand=${name}&${query}`, options);
      return body['@components'][name];
    },
    async create(container, data) {
      const body = requirePermission(
        201,
        await site.request('POST', container, { json: { '@type': 'Page', ...data } }),
      );
      return { ...body, path: body['@id'].slice(site.url.length) };
    },
    async publish(...paths) {
      for (const path of paths)
        requirePermission(200, await site.request('POST', `${path}/@workflow/publish`, { json: {} }));
    },
    async configure(panel, values) {
      const { settings } = await site.kernel.sites.current();
      const data = { ...settings.get(panel), ...values };
      await site.kernel.db.transaction((tx) =>
        writeConfiguration(tx, [{ kind: KINDS.setting, id: panel, position: 0, data }]),
      );
    },
    async allowEverywhere(type) {
      const definition = JSON.parse(
        readFileSync(new URL(`../../profiles/default/types/${type}.json`, import.meta.url), 'utf8'),
      );
      const data = { ...definition, global_allow: true };
      await site.kernel.db.transaction((tx) =>
        writeConfiguration(tx, [{ kind: KINDS.type, id: type, position: 0, data }]),
      );
    },
    statements: (path, options) => database.during(() => read(path, options)),
  };
}
