import { readFileSync } from 'node:fs';
import { KINDS } from '../../src/site/site.ts';
import type { Database, Row, Statement, Transaction } from '../../src/storage/database.ts';
import { writeConfiguration } from '../../src/storage/statements/configuration.ts';
import type { Engine } from '../support/engines.ts';
import { type Json, type RequestOptions, startTestSite, type TestSite } from '../support/site.ts';

/** Passes everything on and notes the names of the statements outside transactions. */
class NotingDatabase implements Database {
  readonly names: string[] = [];
  readonly #inner: Database;

  constructor(inner: Database) {
    this.#inner = inner;
  }

  get engine(): Database['engine'] {
    return this.#inner.engine;
  }

  query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.names.push(statement.name ?? statement.text);
    return this.#inner.query<R>(statement);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inner.transaction(work);
  }

  script(sql: string): Promise<void> {
    return this.#inner.script(sql);
  }

  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#inner.listen(channel, handler);
  }

  figures(): ReturnType<Database['figures']> {
    return this.#inner.figures();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

export type ComponentSite = TestSite & {
  /** The body of an answer of 200. */
  read(path: string, options?: RequestOptions): Promise<Json>;
  /** One component, expanded in the representation of an object. */
  component(path: string, name: string, query?: string, options?: RequestOptions): Promise<Json>;
  /** Creates content and answers its representation and path. */
  create(container: string, data: Record<string, unknown>): Promise<Json & { path: string }>;
  publish(...paths: string[]): Promise<void>;
  /** Changes some settings of a control panel. */
  configure(panel: string, values: Record<string, unknown>): Promise<void>;
  /** Lets a type of the default profile be added in every container. */
  allowEverywhere(type: string): Promise<void>;
  /** Names of the statements that a request costs. */
  statements(path: string, options?: RequestOptions): Promise<string[]>;
};

/** Throws unless the exchange has the status. */
function need(status: number, exchange: Awaited<ReturnType<TestSite['request']>>): Json {
  if (exchange.status !== status) throw new Error(`${exchange.status} instead of ${status}: ${exchange.text}`);
  return exchange.body;
}

/** A running site with what tests of components need. */
export async function startComponentSite(engine: Engine): Promise<ComponentSite> {
  const noted: NotingDatabase[] = [];
  const site = await startTestSite(engine, {
    wrap(db) {
      const noting = new NotingDatabase(db);
      noted.push(noting);
      return noting;
    },
  });
  const read: ComponentSite['read'] = async (path, options) => need(200, await site.request('GET', path, options));
  return {
    ...site,
    read,
    async component(path, name, query = '', options = {}) {
      const body = await read(`${path}?expand=${name}&${query}`, options);
      return body['@components'][name];
    },
    async create(container, data) {
      const body = need(201, await site.request('POST', container, { json: { '@type': 'Page', ...data } }));
      return { ...body, path: body['@id'].slice(site.url.length) };
    },
    async publish(...paths) {
      for (const path of paths) need(200, await site.request('POST', `${path}/@workflow/publish`, { json: {} }));
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
    async statements(path, options) {
      const names = noted.flatMap((database) => database.names);
      await read(path, options);
      return noted.flatMap((database) => database.names).slice(names.length);
    },
  };
}
