import { fstatSync, fsync, fsyncSync, readSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/database/pglite/cluster.ts';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { LogSync, type SyncFile } from '../../src/database/pglite/log-sync.ts';
import { engines } from '../support/database.ts';

const SEGMENT_BYTES = 16 * 1024 * 1024;

/** A disk that notes what of the log it has: the content of each file when it was written through last. */
class NotingDisk implements SyncFile {
  readonly #stored = new Map<number, { content: Buffer; asked: number }>();
  #asked = 0;

  later(file: number): Promise<void> {
    const note = this.#noting(file);
    return new Promise((resolve, reject) =>
      fsync(file, (error) => {
        if (error) return reject(error);
        note();
        resolve();
      }),
    );
  }

  now(file: number): void {
    const note = this.#noting(file);
    fsyncSync(file);
    note();
  }

  storedOf(file: number): Buffer | undefined {
    return this.#stored.get(file)?.content;
  }

  /** Reads a file before it is written through. Returns what notes that it was: one that was asked for earlier may end later. */
  #noting(file: number): () => void {
    const content = Buffer.alloc(SEGMENT_BYTES);
    readSync(file, content, 0, SEGMENT_BYTES, 0);
    this.#asked += 1;
    const asked = this.#asked;
    const { ino } = fstatSync(file);
    return () => {
      if ((this.#stored.get(ino)?.asked ?? 0) < asked) this.#stored.set(ino, { content, asked });
    };
  }
}

describe.skipIf(!engines().includes('pglite'))('a power cut', { timeout: 120_000 }, () => {
  let home: string;
  let disk: NotingDisk;
  let database: PgliteDatabase;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'canopy-power-cut-'));
    disk = new NotingDisk();
    const { pg, log } = await openCluster(join(home, 'pgdata'), new LogSync(disk));
    database = new PgliteDatabase(pg, { log: () => undefined, logSync: log });
    await database.script('create table item (id integer primary key, text text)');
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await rm(home, { recursive: true, force: true });
  });

  /**
   * Copies the files as the worst power cut leaves them: all that was written is there, but of the log only what was written through.
   */
  async function cut(folder: string): Promise<void> {
    const logFolder = join(home, 'pgdata', 'pg_wal');
    const stored = new Map<string, Buffer>();
    for (const name of await readdir(logFolder)) {
      const content = disk.storedOf((await stat(join(logFolder, name))).ino);
      if (content) stored.set(name, content);
    }
    await cp(join(home, 'pgdata'), folder, { recursive: true });
    for (const [name, content] of stored) await writeFile(join(folder, 'pg_wal', name), content);
  }

  it('an acknowledged commit survives it, one that waits for the disk need not, and the tables are whole', async () => {
    const acknowledged = new Set<number>();
    let id = 0;
    const write = async (): Promise<void> => {
      id += 1;
      const own = id;
      await database.transaction(async (tx) => {
        await tx.query({ text: `insert into item values ($1, repeat('x', 5000))`, values: [own] });
      });
      acknowledged.add(own);
    };
    for (let round = 1; round <= 4; round += 1) {
      await Promise.all(Array.from({ length: 20 }, write));
      // Their pages go to the tables while the next commits wait for the disk.
      const waiting = Array.from({ length: 5 }, write);
      const checkpoint = round % 2 === 0 ? database.script('checkpoint') : undefined;
      await database.query({ text: 'select 1', reads: true });
      const [before, folder] = [new Set(acknowledged), join(home, `cut-${round}`)];
      await cut(folder);
      await Promise.all([...waiting, checkpoint]);
      const recovered = await openCluster(folder);
      try {
        const { rows } = await recovered.pg.query<{ id: number }>('select id from item order by id');
        const found = new Set(rows.map((row) => row.id));
        expect([...before].filter((own) => !found.has(own))).toEqual([]);
        const counted = await recovered.pg.query(
          `select count(*)::int as n, count(distinct text)::int as texts from item where length(text) = 5000`,
        );
        expect(counted.rows).toEqual([{ n: found.size, texts: 1 }]);
      } finally {
        await recovered.pg.close();
      }
    }
  });
});
