import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILS } from '../../src/core/queue/mail/queue-mail.ts';
import { takeItem } from '../../src/core/queue/statements/items.ts';
import { migrate } from '../../src/database/migrate.ts';
import { isQueuedPurge, PURGES } from '../../src/features/caching/purges.ts';
import { isQueuedWebhook, WEBHOOKS } from '../../src/features/content-rules/webhook-request.ts';
import { leaseJob } from '../../src/features/jobs/statements/lease.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

const WORKER = '00000000-0000-4000-8000-000000000001';
/** The last migration before the queue. */
const BEFORE = 59;

describeEachEngine('the migration to one queue', (engine) => {
  let created: TestDatabase;
  let folder: string;
  const rows = <T extends object>(text: string) => created.database.query<T>({ text });
  beforeAll(async () => {
    created = await createTestDatabase(engine, { migrated: false });
    folder = await mkdtemp(join(tmpdir(), 'canopy-migrations-'));
    for (const file of await readdir(packageFolder('migrations')))
      if (Number.parseInt(file, 10) <= BEFORE) await cp(join(packageFolder('migrations'), file), join(folder, file));
    await migrate(created.database, folder);
    await rows(`insert into mail_outbox (kind, data, attempts, due, expires) values
      ('password-mail', '{"account": "jane"}', 2, now() - interval '1 minute', now() + interval '1 day'),
      ('mail', '{"subject": "later"}', 1, now() + interval '1 hour', now() + interval '1 day')`);
    await rows(`insert into webhook_outbox (rule, path, request, attempts, due, expires)
      values ('tell', '/a', '{"url": "https://hooks.example.org/", "method": "POST", "body": "{}"}', 3, now(), now() + interval '1 hour')`);
    await rows(`insert into cache_purge (proxy, tags, paths, round, attempts, error, created, due)
      values ('http://cache/', '{a,b}', '{/x}', 2, 4, 'Away', now() - interval '1 hour', now())`);
    const job = `gen_random_uuid(), 'reindex', '{}', '', '', true, false`;
    await rows(`delete from job`);
    await rows(`insert into job (id, action, params, title, description, as_system, exclusive) values (${job})`);
    await rows(`insert into job (id, action, params, title, description, as_system, exclusive, status, worker, attempts, lease_until)
      values (${job}, 'running', '${WORKER}', 1, now() + interval '1 minute'), (${job}, 'running', '${WORKER}', 1, now() - interval '1 minute')`);
  });
  afterAll(async () => {
    await created.drop();
    await rm(folder, { recursive: true });
  });

  it('work that waits is brought over with its attempts and times, and is taken by the next process', async () => {
    const { key } = (await rows<{ key: string }>('select key::text as key from webhook_outbox'))[0] ?? {};
    const times = await rows<object>('select due, expires from mail_outbox order by id');
    await migrate(created.database, packageFolder('migrations'));
    expect(await rows(`select due, expires from queue_item where kind = 'mail' order by id`)).toEqual(times);
    const { database } = created;
    expect(await takeItem(database, MAILS)).toMatchObject({
      ...{ topic: 'password-mail', data: { account: 'jane' }, attempts: 3 },
    });
    expect(await takeItem(database, MAILS)).toBeUndefined();
    const webhook = await takeItem(database, WEBHOOKS);
    expect(webhook).toMatchObject({ topic: 'tell', attempts: 4 });
    expect(isQueuedWebhook(webhook?.data) && webhook.data).toEqual({
      ...{ key, path: '/a' },
      request: { url: 'https://hooks.example.org/', method: 'POST', body: '{}' },
    });
    const purge = await takeItem(database, PURGES);
    expect(purge).toMatchObject({ topic: 'http://cache/', attempts: 5 });
    expect(isQueuedPurge(purge?.data) && purge.data).toEqual({ tags: ['a', 'b'], paths: ['/x'], round: 2 });
    expect(await rows(`select error from queue_item where kind = 'cache-purge'`)).toEqual([{ error: 'Away' }]);
  });

  it('jobs that wait, and those whose lease is over, are taken; one that a worker has is not', async () => {
    const request = { worker: WORKER, leaseMs: 60_000, actions: ['reindex'], maxAttempts: 3, running: [] };
    expect(await leaseJob(created.database, request)).toMatchObject({ attempts: 1 });
    expect(await leaseJob(created.database, request)).toMatchObject({ attempts: 2 });
    expect(await leaseJob(created.database, request)).toBeUndefined();
  });
});
