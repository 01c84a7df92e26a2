import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isMailAddress } from '../../src/core/queue/mail/mail.ts';
import { startMailWorker } from '../../src/core/queue/mail/mail-worker.ts';
import { MAILS, queueWholeMail } from '../../src/core/queue/mail/queue-mail.ts';
import { retryDelayMs } from '../../src/core/queue/queue-kind.ts';
import type { QueueWorker } from '../../src/core/queue/queue-worker.ts';
import { takeItem } from '../../src/core/queue/statements/items.ts';
import type { Database } from '../../src/database/database.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';
import { testMailHost } from '../support/mail-host.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { useMailingSite } from '../support/use-site.ts';
import { peopleOf } from './people-site.ts';

const mail = (to: string, more: object = {}) => ({
  to: [{ name: 'Jane', address: to }],
  subject: 'Grüße',
  text: 'Hello – you.\n.\nLast line.',
  ...more,
});

describeEachEngine('the outbox', (engine) => {
  let test: TestDatabase;
  let db: Database;
  let sink: SmtpSink;
  const workers: QueueWorker[] = [];
  beforeAll(async () => {
    test = await createTestDatabase(engine);
    db = test.database;
    sink = await startSmtpSink();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    await db.query({ text: `delete from queue_item where kind = 'mail'` });
  });
  afterAll(async () => {
    await sink.close();
    await test.drop();
  });
  async function start({ url = sink.url } = {}) {
    const worker = await startMailWorker({
      db,
      mailHost: async () => testMailHost(url, { email_from_address: 'site@example.org', email_from_name: 'The Site' }),
      kinds: [],
      log: createLog('silent'),
      openBlob: async (hash) => Readable.from([`bytes of ${hash}`]),
    });
    workers.push(worker);
    return worker;
  }
  const waiting = () =>
    db.query<{ attempts: number; due: Date }>({ text: `select attempts, due from queue_item where kind = 'mail'` });

  it('a committed mail is sent with its text and headers, then removed from the outbox', async () => {
    await queueWholeMail(db, mail('a@example.org', { replyTo: { name: 'J', address: 'j@example.org' } }));
    await db
      .transaction(async (tx) => {
        await queueWholeMail(tx, mail('undone@example.org'));
        throw new Error('undone');
      })
      .catch(() => undefined);
    await start();
    const [sent] = await sink.arrived('a@example.org');
    expect(sent).toMatchObject({
      subject: 'Grüße',
      envelope: { from: 'site@example.org', to: ['a@example.org'] },
      headers: { from: 'The Site <site@example.org>', to: 'Jane <a@example.org>', 'reply-to': 'J <j@example.org>' },
    });
    expect(sent?.text.replaceAll('\r', '').trim()).toBe('Hello – you.\n.\nLast line.');
    await expect.poll(waiting).toEqual([]);
    expect(sink.mails.some(({ envelope }) => envelope.to.includes('undone@example.org'))).toBe(false);
  });

  it('a mail has its HTML beside its text, its files, and recipients that the others do not see', async () => {
    await queueWholeMail(
      db,
      mail('h@example.org', {
        html: '<p>Hello – <b>you</b>.</p>',
        bcc: [{ name: '', address: 'silent@example.org' }],
        attachments: [{ hash: 'ab12', filename: 'Grüße "1".txt', contentType: 'text/plain' }],
      }),
    );
    await start();
    const [sent] = await sink.arrived('h@example.org');
    expect(sent?.envelope.to).toEqual(['h@example.org', 'silent@example.org']);
    expect(sent?.raw).not.toContain('silent@');
    expect(sent?.raw).toMatch(/multipart\/mixed[\s\S]*multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/);
    expect(sent?.raw).toContain(Buffer.from('bytes of ab12').toString('base64'));
    expect(sent?.raw).toContain("filename*0*=utf-8''Gr%C3%BC%C3%9Fe");
  });

  it('names and subjects cannot add headers to a mail', async () => {
    const evil = 'x\r\nBcc: victim@example.org\r\n\r\nBody';
    await queueWholeMail(db, {
      ...mail('b@example.org'),
      to: [{ name: evil, address: 'b@example.org' }],
      replyTo: { name: evil, address: 'r@example.org' },
      subject: evil,
    });
    await start();
    const [sent] = await sink.arrived('b@example.org');
    expect(sent?.envelope.to).toEqual(['b@example.org']);
    expect(Object.keys(sent?.headers ?? {})).not.toContain('bcc');
    expect(sent?.text.trim()).toMatch(/^Hello/);
  });

  it('a temporarily rejected mail is tried again at growing intervals until it is accepted', async () => {
    sink.reject(451, 1);
    await queueWholeMail(db, mail('c@example.org'));
    const worker = await start();
    // Half a minute is less than the lease of a mail that is being sent.
    const delay = async () => (((await waiting())[0]?.due.getTime() ?? 0) - Date.now()) / 30_000;
    await expect.poll(async () => Math.ceil(await delay())).toBe(1);
    expect((await waiting())[0]?.attempts).toBe(1);
    // The clock of the process has whole milliseconds, but that of the database has microseconds.
    await db.query({ text: `update queue_item set due = now() - interval '1 second' where kind = 'mail'` });
    worker.wake();
    await sink.arrived('c@example.org');
    expect([1, 2, 3, 30].map((attempts) => retryDelayMs(MAILS.backoff, attempts))).toEqual([
      30_000, 60_000, 120_000, 3_600_000,
    ]);
  });

  it('a mail is kept while the server is unreachable and dropped when it is rejected for good or too old', async () => {
    await queueWholeMail(db, mail('d@example.org'));
    const worker = await start({ url: 'smtp://127.0.0.1:1' });
    await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
    await db.query({ text: `update queue_item set expires = now() - interval '1 second' where kind = 'mail'` });
    await worker.close();
    await start();
    await expect.poll(waiting).toEqual([]);
    sink.reject(550, 1);
    await queueWholeMail(db, mail('e@example.org'));
    await start();
    await expect.poll(waiting).toEqual([]);
    expect(sink.mails.filter(({ envelope }) => /^[de]@/.test(envelope.to[0] ?? ''))).toEqual([]);
  });

  it('several processes send each mail once', async () => {
    for (let n = 0; n < 20; n += 1) await queueWholeMail(db, mail(`many${n}@example.org`));
    for (const _ of [1, 2, 3]) await start();
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
    const sent = sink.mails.map(({ envelope }) => envelope.to[0]).filter((to) => to?.startsWith('many'));
    expect(sent.sort()).toEqual(Array.from({ length: 20 }, (_, n) => `many${n}@example.org`).sort());
  });

  it('a mail is sent by another process when the first one has died', async () => {
    await queueWholeMail(db, mail('f@example.org'));
    expect(await takeItem(db, MAILS)).toMatchObject({ attempts: 1 });
    expect(await takeItem(db, MAILS)).toBeUndefined();
    await db.query({ text: `update queue_item set due = due - make_interval(secs => ${MAILS.leaseMs / 1000})` });
    expect(await takeItem(db, MAILS)).toMatchObject({ attempts: 2 });
  });
});

describe('the mail server of a site', () => {
  it('the mail server comes from the panel, else from the environment, else the site has no mail server', () => {
    expect(testMailHost(undefined, { smtp_host: '', email_from_address: 'a@example.org' })).toBeUndefined();
    expect(testMailHost('smtps://user:p%40ss@mail.example.org', {})).toEqual({
      host: 'mail.example.org',
      port: 465,
      secure: true,
      auth: { user: 'user', pass: 'p@ss' },
      from: { name: '', address: 'noreply@mail.example.org' },
    });
    expect(
      testMailHost('smtp://elsewhere', {
        smtp_host: 'panel',
        smtp_port: 2525,
        email_from_address: 'x\r\ny',
        email_from_name: 7,
      }),
    ).toMatchObject({ host: 'panel', port: 2525, secure: false, auth: undefined, from: { address: 'noreply@panel' } });
  });

  it.each([
    'a@b\r\nBcc: c@d',
    'a@b, c@d',
    'a@b;c@d',
    '<a@b>',
    'a b@c',
    '@b',
    'a@',
    `${'x'.repeat(250)}@y.zz`,
    'a@b\u0000',
  ])('the address %j is never given to the mail server', (address) => {
    expect(isMailAddress(address)).toBe(false);
  });
});

describeEachEngine('a message to a user', (engine) => {
  const { site, sink } = useMailingSite(engine);
  const { as, addUser } = peopleOf(site);
  const send = (user: string, json: object, options = {}) =>
    site.request('POST', `/@users/${user}/@email-notification`, { json, ...options });

  it('a message to a user is sent from the site, with replies going to its author', async () => {
    const user = await addUser();
    const json = { name: 'John', from: 'john@example.org', subject: 'Hello!', message: 'Hi member.' };
    expect((await send(user, json)).status).toBe(204);
    const [sent] = await sink.arrived(`${user}@example.org`);
    expect(sent).toMatchObject({ subject: 'Hello!', headers: { 'reply-to': 'John <john@example.org>' } });
    expect(sent?.envelope.from).toBe('noreply@127.0.0.1');
  });

  it('a message is sent only by callers who may use the mail server, and only to existing users', async () => {
    const user = await addUser();
    const json = { from: 'john@example.org', message: 'Spam' };
    expect((await send(user, json, { as: as(user) })).status).toBe(403);
    expect((await send(user, json, { as: 'anonymous' })).status).toBe(401);
    expect((await send('nobody', json)).status).toBe(404);
    for (const bad of [
      {},
      { from: 'x', message: 'y' },
      { from: 'john@example.org' },
      { ...json, from: 'a@b\nBcc: c@d' },
    ])
      expect((await send(user, bad)).status).toBe(400);
  });
});
