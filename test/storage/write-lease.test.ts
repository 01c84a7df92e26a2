import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeFeed } from '../../src/core/cache/change-feed.ts';
import { openDatabase } from '../../src/database/open.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { processIdentity } from '../../src/lib/process/process-identity.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { createTestDatabase, engines, type TestDatabase } from '../support/database.ts';

const readStatement = { text: `select (fields->>'value')::int as value from content where path = '/'`, reads: true };

/** Milliseconds for which the random test runs. */
const CHAOS_MS = process.env.TEST_SLOW ? 120_000 : 8000;

/** A process that caches the value it has loaded until it hears of a change, as the response cache does. */
class Reader {
  readonly db: PostgresDatabase;
  readonly counted: CountingDatabase;
  readonly #watch: ChangeFeed;
  #kept: { version: number; value: number } | undefined;

  constructor(url: string) {
    this.db = new PostgresDatabase(url, { log: () => {}, poolSize: 4, leaseBackOff: 300 });
    this.counted = new CountingDatabase(this.db);
    this.#watch = new ChangeFeed(this.counted);
  }

  async read(): Promise<number> {
    const version = await this.#watch.current();
    if (this.#kept?.version === version) return this.#kept.value;
    const [row] = await this.db.query<{ value: number }>(readStatement);
    this.#kept = { version, value: row?.value ?? -1 };
    return this.#kept.value;
  }

  async isAlone(): Promise<boolean> {
    await this.read();
    return this.db.writes !== undefined;
  }
}

const writeStatement = (value: number) => ({
  text: `update content set fields = jsonb_build_object('value', $1::int) where path = '/'`,
  values: [value],
});

describe.skipIf(!engines().includes('postgresql'))('the lease to write alone', () => {
  let made: TestDatabase;
  let url: string;
  let last = 0;
  const processes = new Set<Reader>();

  const start = (): Reader => {
    const reader = new Reader(url);
    processes.add(reader);
    return reader;
  };
  const stop = async (reader: Reader): Promise<void> => {
    processes.delete(reader);
    await reader.db.close();
  };

  beforeAll(async () => {
    made = await createTestDatabase('postgresql');
    url = made.url ?? '';
    await made.database.query({
      text: `insert into content (uid, name, path, type, owner, position, created, modified, fields)
        values ('root', 'root', '/', 'Site', 'admin', 0, now(), now(), '{"value": 0}')`,
    });
    // The connections of the test itself count as another process.
    await made.database.close();
  });
  afterAll(async () => {
    for (const reader of processes) await reader.db.close();
    await made?.drop().catch(() => {});
  });

  it('a process alone needs no statement to know that nothing has changed, and sees what it writes itself', async () => {
    const reader = start();
    await expect.poll(() => reader.isAlone(), { timeout: 5000 }).toBe(true);
    await reader.read();
    expect(await reader.counted.during(() => reader.read())).toEqual([]);
    await reader.db.query(writeStatement(++last));
    expect(await reader.read()).toBe(last);
    await reader.db.transaction(async (tx) => {
      await tx.query(writeStatement(++last));
    });
    expect(await reader.read()).toBe(last);
    expect(await reader.counted.during(() => reader.read())).toEqual([]);
    await stop(reader);
  });

  it('while a process commits it asks the database, where others may see the change before it hears of it', async () => {
    const reader = start();
    await expect.poll(() => reader.isAlone(), { timeout: 5000 }).toBe(true);
    const { text, values } = writeStatement(++last);
    const writing = reader.db.query({
      text: `with slow as materialized (select pg_sleep(0.3)) ${text} and exists (select from slow)`,
      values,
    });
    await sleep(100);
    expect(reader.db.writes).toBeUndefined();
    await writing;
    expect(reader.db.writes).toBeDefined();
    expect(await reader.read()).toBe(last);
    await stop(reader);
  });

  it('a write of another client waits until the process has given up its lease, and is seen at once', async () => {
    const reader = start();
    await expect.poll(() => reader.isAlone(), { timeout: 5000 }).toBe(true);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const began = performance.now();
      const { text, values } = writeStatement(++last);
      await client.query(text, values);
      expect(performance.now() - began).toBeLessThan(2500);
      expect(await reader.read()).toBe(last);
      expect(reader.db.writes).toBeUndefined();
    } finally {
      await client.end();
      await stop(reader);
    }
  });

  it('the lease of a process that has ended without giving it up runs out, and is cleared away', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`insert into write_lease values ('canopy-that-is-gone')`);
    try {
      const began = performance.now();
      const { text, values } = writeStatement(++last);
      await client.query(text, values);
      const waited = performance.now() - began;
      expect(waited).toBeGreaterThan(2000);
      expect(waited).toBeLessThan(10_000);
      expect((await client.query('select from write_lease')).rowCount).toBe(0);
    } finally {
      await client.end();
    }
  });

  it('after a process was killed, the next one on the same machine removes its lease at the start, so that no write waits for it', async () => {
    const killed = spawn('sleep', ['60']);
    const runningAs = processIdentity(killed.pid);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const leave = () => client.query(`insert into write_lease values ('canopy-that-was-killed', $1)`, [runningAs]);
    try {
      await leave();
      const beside = await openDatabase({ databaseUrl: url, dataDir: '/nowhere', log: () => {} });
      expect((await client.query('select from write_lease')).rowCount).toBe(1);
      await beside.close();
      await client.query('delete from write_lease');

      killed.kill('SIGKILL');
      await once(killed, 'exit');
      await leave();
      const next = await openDatabase({ databaseUrl: url, dataDir: '/nowhere', log: () => {} });
      const began = performance.now();
      await next.query(writeStatement(++last));
      expect(performance.now() - began).toBeLessThan(1000);
      await next.close();
    } finally {
      killed.kill('SIGKILL');
      await client.end();
    }
  });

  it('a process that starts waits in the background for a lease whose holder it knows nothing of, before anybody wants to write', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`insert into write_lease values ('canopy-on-another-machine', 'another-machine 1 1')`);
      const next = await openDatabase({ databaseUrl: url, dataDir: '/nowhere', log: () => {} });
      const began = performance.now();
      const rows = async () => (await client.query('select from write_lease')).rowCount;
      expect(await rows()).toBe(1);
      await expect.poll(rows, { timeout: 10_000 }).toBe(0);
      expect(performance.now() - began).toBeGreaterThan(2000);
      await next.close();
    } finally {
      await client.end();
    }
  });

  it('two processes that write do not take the lease', async () => {
    const [one, other] = [start(), start()];
    await Promise.all([one.read(), other.read()]);
    for (let round = 0; round < 20; round += 1) {
      await one.db.query(writeStatement(++last));
      expect([await one.read(), await other.read()]).toEqual([last, last]);
    }
    await Promise.all([stop(one), stop(other)]);
  });

  it('no process ever returns a value older than the one at the time of the request, whichever process starts, stops, writes or is cut off', {
    timeout: CHAOS_MS + 60_000,
  }, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    let written = last;
    let isOver = false;
    const alone = new Set<boolean>();
    const check = async (reader: Reader): Promise<void> => {
      const before = written;
      try {
        alone.add(reader.db.writes !== undefined);
        expect(await reader.read()).toBeGreaterThanOrEqual(before);
      } catch (error) {
        // The process is cut off: an error is allowed, an old value is not.
        if (error instanceof Error && error.name === 'AssertionError') throw error;
      }
    };
    const readers = async (): Promise<void> => {
      while (!isOver) {
        await Promise.all([...processes].map(check));
        await sleep(1);
      }
    };
    const write = async (): Promise<void> => {
      last += 1;
      const { text, values } = writeStatement(last);
      const writer = [...processes][Math.floor(Math.random() * processes.size)];
      try {
        if (writer && Math.random() < 0.7) await writer.db.query({ text, values });
        else if (processes.size > 1 || Math.random() < 0.1) await client.query(text, values);
        else return;
        written = last;
      } catch {
        // The outcome of this write is unknown, but later values are higher in any case.
      }
    };
    const change = async (): Promise<void> => {
      const dice = Math.random();
      const [first] = processes;
      if (dice < 0.1 && processes.size < 3) start();
      else if (dice < 0.3 && processes.size > 1 && first) await stop(first);
      else if (dice < 0.35)
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'canopy-%'`,
        );
    };
    try {
      start();
      const reading = readers();
      const ends = performance.now() + CHAOS_MS;
      while (performance.now() < ends) {
        await write();
        if (Math.random() < 0.05) await change();
        await sleep(Math.random() < 0.05 ? 800 : 5);
      }
      isOver = true;
      await reading;
      expect(alone).toEqual(new Set([true, false]));
    } finally {
      isOver = true;
      await client.end();
    }
  });
});
