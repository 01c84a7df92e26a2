import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { openCluster } from '../../src/database/pglite/cluster.ts';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { LogSync, type SyncFile } from '../../src/database/pglite/log-sync.ts';
import { engines } from '../support/database.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A disk that writes through what is asked for later only when the test says so. */
class SlowDisk implements SyncFile {
  readonly waiting: { resolve(): void; reject(error: Error): void }[] = [];
  isSlow = true;
  syncs = 0;
  atOnce = 0;

  later(): Promise<void> {
    this.syncs += 1;
    if (!this.isSlow) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  now(): void {
    this.atOnce += 1;
  }

  /** Ends the write to the disk that was asked for first. */
  end(): void {
    this.waiting.shift()?.resolve();
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Notes that a promise is fulfilled. */
function watched(promise: Promise<unknown>): { isDone: boolean } {
  const state = { isDone: false };
  void promise.then(() => {
    state.isDone = true;
  });
  return state;
}

describe('the log on its way to the disk', () => {
  let disk: SlowDisk;
  let log: LogSync;
  let path: string;

  beforeEach(async () => {
    disk = new SlowDisk();
    log = new LogSync(disk);
    path = join(folder, 'one');
    await writeFile(path, '');
  });
  afterEach(() => log.close());

  it('commits that come while the disk is busy share the next write to it', async () => {
    log.ask(path);
    const first = watched(log.settled());
    await turn();
    log.ask(path);
    const second = watched(log.settled());
    log.ask(path);
    const third = watched(log.settled());
    disk.end();
    await turn();
    expect([first.isDone, second.isDone, third.isDone]).toEqual([true, false, false]);
    disk.end();
    await turn();
    expect([second.isDone, third.isDone, disk.syncs]).toEqual([true, true, 2]);
    expect(log.isPending).toBe(false);
  });

  it('what must be on the disk at once is, also what is on its way there, and nobody waits for it twice', async () => {
    const other = join(folder, 'two');
    await writeFile(other, '');
    log.ask(path);
    const first = watched(log.settled());
    await turn();
    log.ask(other);
    log.now();
    expect(disk.atOnce).toBe(2);
    disk.end();
    await turn();
    expect(first.isDone).toBe(true);
    expect([disk.syncs, log.isPending]).toEqual([1, false]);
  });

  it('after a failure nothing counts as stored, now or later', async () => {
    log.ask(path);
    const settled = log.settled();
    await turn();
    disk.waiting.shift()?.reject(new Error('I/O error'));
    await expect(settled).rejects.toThrow(DatabaseUnavailable);
    await expect(log.settled()).rejects.toThrow(/could not be written to the disk: I\/O error/);
    expect(() => log.now()).toThrow(DatabaseUnavailable);
    expect(() => log.requireWorking()).toThrow(/Restart the server/);
  });
});

describe.skipIf(!engines().includes('pglite'))('an embedded database on a slow disk', { timeout: 60_000 }, () => {
  let home: string;
  let disk: SlowDisk;
  let database: PgliteDatabase;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'canopy-slow-disk-'));
    disk = new SlowDisk();
    disk.isSlow = false;
    const { pg, log } = await openCluster(join(home, 'pgdata'), new LogSync(disk));
    database = new PgliteDatabase(pg, { log: () => undefined, logSync: log });
    await database.script('create table item (id integer primary key)');
    // It has a map of its free space, which a larger table gets as a file of its own.
    await database.script('create table growing as select n from generate_series(1, 5000) n');
    await database.script('insert into growing select n from generate_series(1, 1000) n');
    disk.isSlow = true;
  }, 120_000);
  // After a failure of the disk the engine cannot end as it would otherwise.
  afterAll(async () => {
    await database.close().catch(() => {});
    await rm(home, { recursive: true, force: true });
  });

  const insert = (id: number) =>
    database.transaction((tx) => tx.query({ text: 'insert into item values ($1)', values: [id] }));

  /** Waits until the engine has done all that it was asked for. */
  const engineDone = () => vi.waitFor(() => expect(database.load().connections.used).toBe(0), 10_000);

  /** Lets the disk end what it has begun and what is asked for meanwhile. */
  async function endAll(promises: readonly Promise<unknown>[]): Promise<void> {
    const all = watched(Promise.all(promises));
    await vi.waitFor(() => {
      disk.end();
      expect(all.isDone).toBe(true);
    }, 10_000);
  }

  it('a commit is acknowledged once it is on the disk, and others go on meanwhile', async () => {
    const before = disk.syncs;
    const work = [insert(1)];
    await engineDone();
    work.push(...[2, 3, 4].map(insert));
    const read = database.query({ text: 'select count(*) as n from item', reads: true });
    const states = [...work, read].map(watched);
    await engineDone();
    // The engine has done it all; nobody may see anything of it yet.
    expect(states.filter(({ isDone }) => isDone)).toEqual([]);
    expect(disk.syncs - before).toBe(1);
    await endAll([...work, read]);
    expect(disk.syncs - before).toBe(2);
    expect(await read).toEqual([{ n: 4 }]);
  });

  it('a table grows by empty pages before the log is on the disk', async () => {
    const first = insert(10);
    await engineDone();
    const grown = database.transaction((tx) =>
      tx.query({ text: 'insert into growing select n from generate_series(1, 1000) n' }),
    );
    await engineDone();
    expect(disk.atOnce).toBe(0);
    await endAll([first, grown]);
  });

  it('tables are written when the log is on the disk, not before', async () => {
    const inserted = insert(11);
    await engineDone();
    expect(disk.atOnce).toBe(0);
    const checkpoint = database.script('checkpoint');
    await engineDone();
    expect(disk.atOnce).toBeGreaterThan(0);
    await endAll([inserted, checkpoint]);
  });

  it('when the log cannot be written, the commit fails, as does all that comes later', async () => {
    const inserted = expect(insert(21)).rejects.toThrow(/Whether the last changes are stored is unknown/);
    await engineDone();
    const read = expect(database.query({ text: 'select 1', reads: true })).rejects.toThrow(DatabaseUnavailable);
    await engineDone();
    disk.waiting.shift()?.reject(new Error('I/O error'));
    await Promise.all([inserted, read]);
    await expect(insert(22)).rejects.toThrow(DatabaseUnavailable);
  });
});
