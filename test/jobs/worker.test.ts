import { describe, expect, it } from 'vitest';
import { abortJob, type JobRequest } from '../../src/features/jobs/statements/jobs.ts';
import { describeEachEngine } from '../support/database.ts';
import { useJobKernel } from './use-job-kernel.ts';

describeEachEngine('the job worker', (engine) => {
  const { kernel, sql, start, enqueue, quick, slow, read, status, ended, take, notify } = useJobKernel(engine);

  it('each job runs once, however many workers there are', async () => {
    const seen: unknown[] = [];
    const schema = {
      fieldsets: [],
      properties: { n: { title: 'N', type: 'integer', factory: 'Integer' } },
      required: ['n'],
    };
    const action = quick(
      async ({ params }) => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(params.n);
        return undefined;
      },
      { schema },
    );
    await start(3);
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => enqueue(action, { params: { n } })));
    for (const id of ids) expect((await ended(id))?.status).toBe('completed');
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  it('a worker starts jobs in the order of the queue, two at a time', async () => {
    const { action, runs, finish } = slow();
    const ids = [await enqueue(action.name), await enqueue(action.name), await enqueue(action.name)];
    await start();
    await expect.poll(() => runs.length).toBe(2);
    expect(await Promise.all(ids.map(status))).toEqual(['running', 'running', 'created']);
    finish();
    for (const id of ids) expect((await ended(id))?.status).toBe('completed');
  });

  it('only one job of an exclusive action runs at a time in all processes', async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const action = quick(
      async ({ caller }) => {
        running += 1;
        most = Math.max(most, running);
        order.push(caller.login);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return undefined;
      },
      { exclusive: true },
    );
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await enqueue(action, { actor: `user-${n}` }));
    const other = await enqueue(quick(async () => undefined));
    await start(3);
    for (const id of [...ids, other]) expect((await ended(id))?.status).toBe('completed');
    expect(most).toBe(1);
    expect(order).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4', 'user-5']);
  });

  it('concurrent workers lease only one job of an exclusive action', async () => {
    const action = quick(async () => undefined, { exclusive: true });
    const free = quick(async () => undefined);
    for (let n = 0; n < 5; n += 1) await enqueue(action);
    await enqueue(free);
    const taken = await Promise.all(Array.from({ length: 8 }, () => take([action, free])));
    expect(taken.flatMap((job) => job?.action ?? []).sort()).toEqual([action, free].sort());
  });

  it('a worker does not take jobs with unknown actions', async () => {
    const { action } = slow();
    const id = await enqueue(action.name);
    await sql(`update job set action = 'of-a-newer-program'`);
    await start();
    await ended(await enqueue(quick(async () => undefined)));
    expect(await status(id)).toBe('created');
  });

  it('a running job shows its progress', async () => {
    const { action, runs, finish } = slow();
    const id = await enqueue(action.name);
    await start();
    await expect.poll(() => runs.length).toBe(1);
    runs[0]?.progress(3, 10);
    await expect.poll(async () => (await read(id))?.done).toBe(3);
    expect(await read(id)).toMatchObject({ status: 'running', done: 3, total: 10 });
    // This progress is reported too soon after the last one to be stored at once, but must not be lost.
    runs[0]?.progress(9, 9);
    finish();
    expect(await ended(id)).toMatchObject({ status: 'completed', done: 9, total: 9 });
  });

  it('an idle worker runs few statements', async () => {
    const { db } = kernel();
    const seen: unknown[] = [];
    const query = db.query.bind(db);
    db.query = (statement) => {
      seen.push(statement.name);
      return query(statement);
    };
    await start();
    await expect.poll(() => seen).toContain('job-lease');
    await notify();
    await expect.poll(() => seen.filter((name) => name === 'job-lease').length).toBe(2);
    db.query = query;
    const look = ['scheduled-job-next', 'job-end-lost', 'job-lease'];
    expect(seen).toEqual([...look, undefined, ...look]);
  });

  it('a job yields to other work between its statements, and is aborted there', async () => {
    let statements = 0;
    const action = quick(async ({ kernel: { db } }) => {
      for (;;) {
        await db.query({ text: 'select 1' });
        await db.transaction((tx) => tx.query({ text: 'select 1' }));
        statements += 2;
      }
    });
    const id = await enqueue(action);
    await start();
    await expect.poll(() => statements).toBeGreaterThan(10);
    await abortJob(kernel().db, id);
    expect(await ended(id)).toMatchObject({ status: 'aborted' });
    const before = statements;
    await notify();
    expect(statements).toBe(before);
  });

  describe('the caller of a job', () => {
    const whoRuns = async (more: Partial<JobRequest>) => {
      const action = quick(async ({ caller: { id, login, roles } }) => ({ id, login, roles }));
      const id = await enqueue(action, more);
      await start();
      return ended(id);
    };
    const account = (id: string, roles: string[]) =>
      kernel().db.query({
        text: 'insert into account (id, login, fullname, roles) values ($1, $1, $1, $2)',
        values: [id, roles],
      });

    it('a job of a Manager runs in the name of the Manager with all rights, even if the account is removed', async () => {
      const job = await whoRuns({ actor: 'nobody-any-more', asSystem: true });
      expect(job?.result).toMatchObject({ id: 'nobody-any-more', roles: expect.arrayContaining(['Manager']) });
    });

    it('a job without an actor runs as the system user', async () => {
      expect((await whoRuns({ actor: null, asSystem: true }))?.result).toMatchObject({ login: 'system' });
    });

    it('a job of a user runs with the rights that the user has when it starts', async () => {
      await account('editor', ['Editor']);
      const job = await whoRuns({ actor: 'editor', asSystem: false });
      expect(job?.result).toEqual({ id: 'editor', login: 'editor', roles: ['Authenticated', 'Editor'] });
    });

    it('a job of a removed user fails', async () => {
      const job = await whoRuns({ actor: 'gone', asSystem: false });
      expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('"gone"'), result: null });
    });
  });

  describe('a worker that is closed', () => {
    it('a closed worker releases its jobs, and the next worker takes them at once', async () => {
      const { action, runs, finish } = slow();
      const id = await enqueue(action.name);
      const [worker] = await start();
      await expect.poll(() => runs.length).toBe(1);
      runs[0]?.progress(1, 2);
      await worker?.close();
      expect(await read(id)).toMatchObject({ status: 'created', started: null, done: null });
      finish();
      await start();
      expect(await ended(id)).toMatchObject({ status: 'completed', result: { runs: 2 } });
      const [row] = await sql('select attempts from job');
      expect(row).toEqual({ attempts: 1 });
    });

    it('closing a worker waits for a job that does not stop, and its result is stored', async () => {
      const { action, runs, finish } = slow({ deaf: true });
      const id = await enqueue(action.name);
      const [worker] = await start();
      await expect.poll(() => runs.length).toBe(1);
      const closed = worker?.close();
      await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
      expect(await status(id)).toBe('running');
      finish();
      await closed;
      expect(await read(id)).toMatchObject({ status: 'completed', result: { runs: 1 } });
    });

    it('a closed worker does not release an aborted job', async () => {
      const { action, runs } = slow();
      const id = await enqueue(action.name);
      const [worker] = await start();
      await expect.poll(() => runs.length).toBe(1);
      // The worker gets no notification of this.
      await sql('update job set abort_requested = true');
      await worker?.close();
      expect(await read(id)).toMatchObject({ status: 'aborted', finished: expect.any(Date) });
    });

    it('a closed worker takes no more jobs', async () => {
      const [worker] = await start();
      await worker?.close();
      const id = await enqueue(quick(async () => undefined));
      await notify();
      expect(await status(id)).toBe('created');
    });
  });
});
