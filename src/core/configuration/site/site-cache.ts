import type { Database, Queryable } from '../../../database/database.ts';
import { ClientError } from '../../../lib/errors.ts';
import { ConfigError } from '../environment/setting-names.ts';
import { CONFIGURATION_CHANNEL, configurationVersion, loadConfiguration } from '../statements/configuration.ts';
import { buildSite } from './build-site.ts';
import type { Site, SiteRegistries } from './site.ts';

/** The site of a stored configuration. An unusable configuration is an error for the owners of the site, not for the client. */
function stored(...configuration: Parameters<typeof buildSite>): Site {
  try {
    return buildSite(...configuration);
  } catch (error) {
    const reason = error instanceof ClientError ? `: ${error.message}` : '.';
    throw new ConfigError(`The configuration in the database cannot be used${reason}`, { cause: error });
  }
}

/**
 * The site's configuration in memory. It is never older than the data that the caller has just read from the database: `at(version)` compares with
 * the version that the caller's own statement returned.
 */
export class SiteCache {
  readonly #db: Database;
  readonly #registries: SiteRegistries;
  readonly #tolerant: boolean;
  /** False if the database is a transaction, whose configuration may be undone. */
  #isShared = true;
  #site: Site | undefined;
  #loading: Promise<Site> | undefined;

  /** `tolerant` also takes a configuration with impossible indexes and columns, so that it can be repaired. */
  constructor(db: Database, registries: SiteRegistries, { tolerant = false }: { tolerant?: boolean } = {}) {
    this.#db = db;
    this.#registries = registries;
    this.#tolerant = tolerant;
  }

  /** The site as last loaded, possibly outdated, for responses that must not wait for the database. */
  get last(): Site | undefined {
    return this.#site;
  }

  /** The site as configured now. Asks the database for the version, so that it includes changes of other processes. */
  async current(): Promise<Site> {
    return this.at(await configurationVersion(this.#db));
  }

  /**
   * The site at the given version or a newer one; runs no SQL when that site is in memory. Inside a transaction `db` is the transaction: it may have
   * changed the configuration itself, so the loaded site is not shared.
   */
  async at(version: string, db: Queryable = this.#db): Promise<Site> {
    if (this.#site && BigInt(this.#site.version) >= BigInt(version)) return this.#site;
    if (db === this.#db) return this.#load();
    const seen = await loadConfiguration(db);
    return buildSite(seen.version, seen.rows, this.#registries, { tolerant: this.#tolerant });
  }

  /** The site as a transaction sees it, with its own changes. */
  async within(tx: Queryable): Promise<Site> {
    return this.at(await configurationVersion(tx), tx);
  }

  /** The cache for work that is wholly in the transaction `db`, so that loaded sites are not shared with other work. */
  sharing(db: Database): SiteCache {
    const cache = new SiteCache(db, this.#registries, { tolerant: this.#tolerant });
    cache.#site = this.#site;
    cache.#isShared = false;
    return cache;
  }

  /** Follows the changes by any process; `changed` is called after each change. Returns a function that stops this. */
  listen(changed: () => void): Promise<() => Promise<void>> {
    return this.#db.listen(CONFIGURATION_CHANNEL, changed);
  }

  async #load(): Promise<Site> {
    this.#loading ??= loadConfiguration(this.#db)
      .then(({ version, rows }) => {
        const site = stored(version, rows, this.#registries, { tolerant: this.#tolerant });
        if (this.#isShared) this.#site = site;
        return site;
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }
}
