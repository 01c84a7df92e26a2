import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ProblemLog } from '../database.ts';
import type { OutageLog } from '../outage-log.ts';
import type { PrimaryAddresses } from './addresses.ts';

type Handler = (payload: string) => void;

/** Milliseconds of the first and of the longest wait before a new connection, and between two checks of a quiet one. */
const FIRST_WAIT = 100;
const MAX_WAIT_MS = 10_000;
const CHECK_EVERY = 15_000;
const CHECK_TIMEOUT = 5_000;

/** A connection that runs one statement after the other, because the driver must not get a second one meanwhile. */
type Connection = { query(text: string): Promise<void>; end(): Promise<void> };

function inTurn(client: pg.Client): Connection {
  let last: Promise<void> = Promise.resolve();
  return {
    query(text) {
      const done = last.then(async () => {
        await client.query(text);
      });
      // The sender of a statement gets its failure; the next statement runs after it.
      last = done.catch(() => {});
      return done;
    },
    end: () => client.end(),
  };
}

/**
 * Listens on one connection of its own, made with the first channel and made anew when it is lost. Notifications sent meanwhile are lost, so each
 * handler is then called with an empty payload, because anything may have happened.
 */
export class PostgresListener {
  readonly #addresses: PrimaryAddresses;
  readonly #settings: (url: string) => pg.ClientConfig;
  readonly #log: ProblemLog;
  readonly #outages: OutageLog;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #closed = new AbortController();
  /** The present connection or the attempt to get one; undefined before the first channel and after the close. */
  #connection: Promise<Connection | undefined> | undefined;

  /**
   * `settings` returns the settings of a connection to an address. The connection must not lead through a pooler, unless the pooler separates
   * sessions.
   */
  constructor(
    addresses: PrimaryAddresses,
    { settings, log, outages }: { settings: (url: string) => pg.ClientConfig; log: ProblemLog; outages: OutageLog },
  ) {
    this.#addresses = addresses;
    this.#settings = settings;
    this.#log = log;
    this.#outages = outages;
  }

  /** Calls `handler` for notifications on the channel from the moment the promise is fulfilled. */
  async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    this.#closed.signal.throwIfAborted();
    const handlers = this.#handlers.get(channel) ?? new Set<Handler>();
    // A new function, so that the same handler may be given twice and stopped once.
    const entry: Handler = (payload) => handler(payload);
    handlers.add(entry);
    this.#handlers.set(channel, handlers);
    try {
      this.#connection ??= this.#connectFirst();
      const connection = await this.#connection;
      await connection?.query(`listen ${channel}`);
    } catch (error) {
      this.#forget(channel, entry);
      throw error;
    }
    return async () => {
      if (!this.#forget(channel, entry)) return;
      const connection = await this.#connection;
      if (!this.#handlers.has(channel)) await connection?.query(`unlisten ${channel}`);
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#handlers.clear();
    const connection = this.#connection;
    this.#connection = undefined;
    await (await connection)?.end();
  }

  /** Removes a handler; returns true if it was the last handler of the channel. */
  #forget(channel: string, entry: Handler): boolean {
    const handlers = this.#handlers.get(channel);
    if (handlers === undefined || !handlers.delete(entry) || handlers.size > 0) return false;
    return this.#handlers.delete(channel);
  }

  /** A failure goes to the caller of `listen`; the next call makes a new attempt. */
  async #connectFirst(): Promise<Connection> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#connect();
      } catch (error) {
        if (tried < this.#addresses.count) continue;
        this.#connection = undefined;
        throw error;
      }
    }
  }

  async #connect(): Promise<Connection> {
    const address = this.#addresses.current;
    const client = new pg.Client({ ...this.#settings(address), query_timeout: CHECK_TIMEOUT });
    const connection = inTurn(client);
    let checks: NodeJS.Timeout | undefined;
    let ready = false;
    let ended = false;
    const end = (error: unknown): void => {
      if (ended) return;
      ended = true;
      clearInterval(checks);
      void client.end().catch((failure: unknown) => this.#log('Closing the listening connection failed', failure));
      if (ready) this.#replace(error);
    };
    client.on('error', end);
    client.on('end', () => end(new Error('The listening connection was closed')));
    client.on('notification', ({ channel, payload }) => this.#deliver(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#handlers.keys()) await connection.query(`listen ${channel}`);
    } catch (error) {
      this.#addresses.failed(address);
      end(error);
      throw error;
    }
    ready = true;
    // A connection that a firewall has silently dropped would never report its loss.
    checks = setInterval(() => void connection.query('select 1').catch(end), CHECK_EVERY);
    checks.unref();
    return connection;
  }

  #replace(error: unknown): void {
    if (this.#closed.signal.aborted) return;
    this.#outages.noticed(error);
    this.#connection = this.#reconnect();
  }

  /** Returns undefined when the listener was closed meanwhile; never fails. */
  async #reconnect(): Promise<Connection | undefined> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        await sleep(wait * (0.5 + Math.random()), undefined, { signal: this.#closed.signal, ref: false });
        const connection = await this.#connect();
        for (const channel of this.#handlers.keys()) this.#deliver(channel, '');
        return connection;
      } catch (error) {
        if (this.#closed.signal.aborted) return undefined;
        this.#outages.noticed(error);
      }
    }
  }

  #deliver(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) {
      try {
        handler(payload);
      } catch (error) {
        this.#log(`A handler of notifications on ${channel} failed`, error);
      }
    }
  }
}
