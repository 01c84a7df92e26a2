import { expect, it } from 'vitest';
import { withSavepoint } from '../../src/database/savepoint.ts';
import { createTestDatabase, describeEachEngine } from '../support/database.ts';

describeEachEngine('withSavepoint', (engine) => {
  it('a savepoint rolls back a part alone, with its work for the end, and the transaction continues', async () => {
    const { database, drop } = await createTestDatabase(engine, { migrated: false });
    const done: string[] = [];
    try {
      await database.script('create table note (text text unique)');
      const add = (text: string) => ({ text: 'insert into note values ($1)', values: [text] });
      await database.transaction(async (tx) => {
        await tx.query(add('before'));
        const undone = await withSavepoint(tx, async (part) => {
          await part.query(add('lost'));
          part.beforeCommit(async () => void done.push('before of lost'));
          part.afterCommit(() => void done.push('after of lost'));
          await part.query(add('before'));
        });
        expect(String(undone?.error)).toContain('unique');
        const nested = await withSavepoint(tx, async (part) => {
          expect(await withSavepoint(part, () => Promise.reject(new Error('inner')))).toMatchObject({
            error: Error('inner'),
          });
          await part.query(add('kept'));
          part.beforeCommit(async () => {
            await tx.query(add('at the end'));
            done.push('before the commit');
          });
          part.afterCommit(() => void done.push('after the commit'));
        });
        expect(nested).toBeUndefined();
        done.push('work');
      });
      const rows = await database.query<{ text: string }>({ text: 'select text from note order by text' });
      expect(rows.map(({ text }) => text)).toEqual(['at the end', 'before', 'kept']);
      expect(done).toEqual(['work', 'before the commit', 'after the commit']);
    } finally {
      await drop();
    }
  });

  it('a nested part can register work during the commit, and stages of a commit run in their order', async () => {
    const { database, drop } = await createTestDatabase(engine, { migrated: false });
    const done: string[] = [];
    const note = (text: string) => async () => void done.push(text);
    try {
      let lost: Parameters<Parameters<typeof withSavepoint>[1]>[0] | undefined;
      await database.transaction(async (tx) => {
        await withSavepoint(tx, async (outer) => {
          outer.beforeCommit(note('last'), 'last');
          outer.beforeCommit(note('record'), 'record');
          await withSavepoint(outer, async (inner) => {
            inner.beforeCommit(async () => {
              inner.beforeCommit(note('late of the inner part'));
              outer.beforeCommit(note('late of the outer part'));
              inner.afterCommit(note('after the commit'));
            });
          });
          await withSavepoint(outer, async (inner) => {
            lost = inner;
            inner.beforeCommit(note('lost'));
            throw new Error('no');
          });
        });
        expect(() => lost?.beforeCommit(note('never'))).toThrow('undone');
        await expect(lost?.query({ text: 'select 1' })).rejects.toThrow('undone');
      });
      expect(done).toEqual(['late of the inner part', 'late of the outer part', 'record', 'last', 'after the commit']);
    } finally {
      await drop();
    }
  });

  it('deferred statements of a part are undone with it, and fail with it', async () => {
    const { database, drop } = await createTestDatabase(engine, { migrated: false });
    try {
      await database.script('create table note (text text unique)');
      const add = (text: string) => ({ text: 'insert into note values ($1)', values: [text], deferred: true });
      await database.transaction(async (tx) => {
        await tx.query(add('before'));
        const twice = await withSavepoint(tx, async (part) => void (await part.query(add('before'))));
        expect(String(twice?.error)).toContain('unique');
        const failed = await withSavepoint(tx, async (part) => {
          await part.query(add('lost'));
          await part.query(add('before'));
          throw new Error('no');
        });
        expect(failed).toEqual({ error: Error('no') });
        expect(await withSavepoint(tx, async (part) => void (await part.query(add('kept'))))).toBeUndefined();
      });
      const rows = await database.query<{ text: string }>({ text: 'select text from note order by text' });
      expect(rows.map(({ text }) => text)).toEqual(['before', 'kept']);
    } finally {
      await drop();
    }
  });

  it('a transaction is rolled back when its work before the commit fails', async () => {
    const { database, drop } = await createTestDatabase(engine, { migrated: false });
    try {
      await database.script('create table note (text text)');
      const work = database.transaction(async (tx) => {
        await tx.query({ text: `insert into note values ('x')` });
        tx.beforeCommit(() => Promise.reject(new Error('no')));
      });
      await expect(work).rejects.toThrow('no');
      expect(await database.query({ text: 'select from note' })).toEqual([]);
    } finally {
      await drop();
    }
  });
});
