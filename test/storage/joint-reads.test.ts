import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { JointReads } from '../../src/database/joint-reads.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

describeEachEngine('reads that go to the database together', (engine) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase(engine, { migrated: false });
  });
  afterAll(() => test?.drop());

  const messages = (): number => test.database.load().statements.durations.count;

  const read = (text: string, joint: JointReads, values: unknown[] = []) => {
    const statement: Statement = { text, values, joint, reads: true };
    return test.database.query(statement);
  };

  it('two reads are one message, and each caller gets its own rows', async () => {
    const joint = new JointReads();
    const before = messages();
    const first = read('select $1::int as a', joint, [1]);
    const second = read('select $1::text as b from generate_series(1, 2)', joint, ['x']);
    expect(await Promise.all([first, second])).toEqual([[{ a: 1 }], [{ b: 'x' }, { b: 'x' }]]);
    expect(messages() - before).toBe(1);
    expect(await read('select 3 as c', joint)).toEqual([{ c: 3 }]);
    expect(messages() - before).toBe(2);
  });

  it('a read that no other one comes for is sent when it is released', async () => {
    const joint = new JointReads();
    const only = read('select 1 as a', joint);
    joint.release();
    expect(await only).toEqual([{ a: 1 }]);
    joint.release();
    expect(await read('select 2 as a', joint)).toEqual([{ a: 2 }]);
  });

  it('a failure is that of both, and leaves the connection as it was', async () => {
    const joint = new JointReads();
    const both = [read('select 1 / $1::int as a', joint, [0]), read('select 2 as b', joint)];
    for (const each of await Promise.allSettled(both))
      expect(each).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(await read('select 3 as c', joint)).toEqual([{ c: 3 }]);
  });
});
