import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, it } from 'vitest';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { Room } from '../../src/database/room.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

it('with too little room on its disk an embedded database reads and writes nothing', async () => {
  let isFull = false;
  const room = {
    require: async () => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  };
  const db = new PgliteDatabase(await PGlite.create(), { log: () => {}, room });
  await db.query({ text: 'create table note (id integer)' });
  await db.query({ text: 'insert into note values (1)' });
  isFull = true;
  await expect(db.query({ text: 'insert into note values (2)' })).rejects.toMatchObject({ code: 'ENOSPC' });
  await expect(db.transaction((tx) => tx.query({ text: 'delete from note' }))).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  expect(await db.query({ text: 'select id from note', reads: true })).toEqual([{ id: 1 }]);
  isFull = false;
  await db.query({ text: 'insert into note values (3)' });
  expect(await db.query({ text: 'select id from note order by id' })).toEqual([{ id: 1 }, { id: 3 }]);
  await db.close();
});

it('the reserve of a disk with room is a file of its size, made once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'room-'));
  folders.push(folder);
  const room = new Room(folder);
  await room.keep();
  const { size, mtimeMs } = await stat(join(folder, 'reserve'));
  expect(size).toBe(24 * 1024 * 1024);
  await room.keep();
  await room.require();
  expect((await stat(join(folder, 'reserve'))).mtimeMs).toBe(mtimeMs);
  expect(await readdir(folder)).toEqual(['reserve']);
});
