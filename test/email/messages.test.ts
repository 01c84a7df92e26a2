import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordRequest } from '../../src/core/people/statements/request-limits.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { changeSettings, peopleOf } from '../people/people-site.ts';
import { createTestDatabase, describeEachEngine, engines, type TestDatabase } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useMailingSite, useTestSite } from '../support/use-site.ts';

const SITE = 'town@example.org';
const MESSAGE = { name: 'John Doe', from: 'john@example.org', subject: 'Hello!', message: 'Just want to say hi.' };

describeEachEngine('messages by mail', (engine) => {
  const { site, sink } = useMailingSite(engine);
  const { as, addUser } = peopleOf(site);
  const fresh = () => `${randomUUID()}@example.org`;
  const post = async (path: string, json: Json, who: Who = 'admin') => site.request('POST', path, { json, as: who });
  const page = async (state: 'public' | 'private'): Promise<string> => {
    const { body } = await site.request('POST', '/', { json: { '@type': 'Page', title: `A ${state} page` } });
    const path = `/${body.id}`;
    if (state === 'public') await site.request('POST', `${path}/@workflow/publish`, { json: {} });
    return path;
  };
  const forget = () => site.kernel.db.query({ text: 'delete from visitor_request' });
  const waiting = async () =>
    (
      await site.kernel.db.query<{ n: number }>({
        text: `select count(*)::int as n from queue_item where kind = 'mail'`,
      })
    )[0]?.n;
  beforeAll(async () => {
    await changeSettings(site, 'mail', { email_from_name: 'The Town', email_from_address: SITE });
    await changeSettings(site, 'site', { site_title: 'Town of Example', frontend_domain: 'https://www.example.org' });
  });

  it('@email-send mails from the site to one address, and answers go to the one who wrote it', async () => {
    const to = fresh();
    const { status, text } = await post('/@email-send', { ...MESSAGE, to });
    expect([status, text]).toEqual([204, '']);
    const [mail] = await sink.arrived(to);
    expect(mail).toMatchObject({
      subject: 'Hello!',
      envelope: { from: SITE, to: [to] },
      headers: { from: `The Town <${SITE}>`, to, 'reply-to': 'John Doe <john@example.org>' },
    });
    expect(mail?.text.replaceAll('\r', '')).toContain(
      'Just want to say hi.\n\n-- \nJohn Doe <john@example.org> has written this message on Town of Example.',
    );
  });

  it('@email-send is for those who may use the mail server, and its refusal does not repeat the message', async () => {
    const member = as(await addUser(['Member']));
    const path = await page('private');
    for (const [who, status] of [
      ['anonymous', 401],
      [member, 403],
    ] as const)
      for (const address of ['/@email-send', `${path}/@email-send`]) {
        const response = await post(address, { ...MESSAGE, to: fresh() }, who);
        expect([response.status, response.text.includes('say hi')]).toEqual([status, false]);
      }
    const administrator = as(await addUser(['Site Administrator']));
    const to = fresh();
    expect((await post(`${path}/@email-send`, { ...MESSAGE, to }, administrator)).status).toBe(204);
    expect((await sink.arrived(to))[0]?.text).toContain(`https://www.example.org${path}`);
  });

  it('the contact form reaches the address of the site, names the page, and needs the right to view it', async () => {
    await forget();
    const [open, closed] = [await page('public'), await page('private')];
    const subject = randomUUID();
    expect((await post(`${open}/@email-notification`, { ...MESSAGE, subject }, 'anonymous')).status).toBe(204);
    await expect.poll(() => sink.mails.some((mail) => mail.subject === subject)).toBe(true);
    const mail = sink.mails.find((one) => one.subject === subject);
    expect(mail?.envelope.to).toEqual([SITE]);
    expect(mail?.text).toContain(`https://www.example.org${open}`);
    const refused = await post(`${closed}/@email-notification`, MESSAGE, 'anonymous');
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('A private page');
  });

  it('a message without a subject or a name has a subject in the language of the site', async () => {
    await changeSettings(site, 'language', { default_language: 'nl' });
    const to = fresh();
    expect(
      (await post('/@email-send', { from: MESSAGE.from, message: 'Hoi.', to, name: '', subject: null })).status,
    ).toBe(204);
    await changeSettings(site, 'language', { default_language: 'en' });
    const [mail] = await sink.arrived(to);
    expect(mail?.subject).toBe('Een bericht via Town of Example');
    expect(mail?.text).toContain('john@example.org heeft dit bericht op Town of Example geschreven.');
    expect(mail?.headers['reply-to']).toBe('john@example.org');
  });

  it.each([
    ['to', undefined],
    ['to', ''],
    ['to', 'a@example.org, b@example.org'],
    ['to', 'a@example.org;b@example.org'],
    ['to', ['a@example.org', 'b@example.org']],
    ['to', 'a@example.org\r\nBcc: b@example.org'],
    ['to', 'a@localhost'],
    ['to', 'user%other.org@example.org'],
    ['to', 'other.org!user@example.org'],
    ['to', '"a b"@example.org'],
    ['to', 'a..b@example.org'],
    ['to', 'a@-example.org'],
    ['to', 'a@127.0.0.1'],
    ['to', `${'a'.repeat(65)}@example.org`],
    ['to', `a@${'b.'.repeat(130)}org`],
    ['from', undefined],
    ['from', 'nobody'],
    ['from', 'a@example.org\nBcc: b@example.org'],
    ['from', 'The Pope <pope@example.org>'],
    ['from', { address: 'a@example.org' }],
    ['message', undefined],
    ['message', ' \n '],
    ['message', 'x'.repeat(100_001)],
    ['message', 'a\u0000b'],
    ['subject', 'x'.repeat(251)],
    ['subject', 7],
    ['name', 'x'.repeat(201)],
    ['name', {}],
  ])(
    'a message with an unfit %s is refused by the name of the member, and nothing is sent (%#)',
    async (key, value) => {
      const before = await waiting();
      const { status, body } = await post('/@email-send', { ...MESSAGE, to: fresh(), [key]: value });
      expect([status, body.errors.map(({ field }: Json) => field)]).toEqual([400, [key]]);
      if (value === undefined) expect(body.message).toMatch(/required/i);
      expect(await waiting()).toBe(before);
    },
  );

  it('the texts of a name and a subject stay in their headers', async () => {
    const to = fresh();
    const evil = 'A\r\nBcc: victim@example.org\r\n\r\nBody \u2028 =?utf-8?B?QmNjOiB4?=\u202e';
    expect((await post('/@email-send', { ...MESSAGE, to, name: evil, subject: evil })).status).toBe(204);
    const [mail] = await sink.arrived(to);
    expect(mail?.envelope.to).toEqual([to]);
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc');
    expect(mail?.subject).toBe('A Bcc: victim@example.org Body   = ?utf-8?B?QmNjOiB4?=');
    expect(mail?.headers['reply-to']).toMatch(/<john@example\.org>$/);
  });

  it('visitors of one network are limited together, and users each by themselves', async () => {
    await forget();
    const send = async (who: Who) => (await post('/@email-notification', MESSAGE, who)).status;
    const responses = await Promise.all(Array.from({ length: 35 }, () => send('anonymous')));
    expect(responses.filter((status) => status === 204)).toHaveLength(30);
    expect(responses.filter((status) => status === 429)).toHaveLength(5);
    const member = as(await addUser(['Member']));
    expect(await send(member)).toBe(204);
    await site.kernel.db.query({
      text: `insert into visitor_request select 'message', $1, now() from generate_series(1, 199)`,
      values: [`user:${member.login}`],
    });
    const { status, headers, body } = await post('/@email-notification', MESSAGE, member);
    expect([status, headers.get('retry-after')]).toEqual([429, '3600']);
    expect(body.message).toBe('You have sent too many messages. Try again in an hour.');
    await site.kernel.db.query({ text: "update visitor_request set at = at - interval '61 minutes'" });
    expect([await send('anonymous'), await send(member)]).toEqual([204, 204]);
    await forget();
  });
});

describe('messages on a site that cannot send', () => {
  const site = useTestSite(engines()[0] ?? 'pglite');

  it('a message is refused where there is no mail server, or no address for it', async () => {
    const send = async (path: string, json: Json = MESSAGE) => {
      const { status, body } = await site.request('POST', path, { json });
      return [status, body.message];
    };
    const none = [400, 'MailHost is not configured.'];
    expect(await send('/@email-notification')).toEqual(none);
    expect(await send('/@email-send', { ...MESSAGE, to: 'jane@example.org' })).toEqual(none);
    await changeSettings(site, 'mail', { smtp_host: 'mail.example.org' });
    expect(await send('/@email-notification')).toEqual([
      400,
      'The site has no e-mail address. A Manager sets it in the control panel "Mail".',
    ]);
    expect(await send('/@users/admin/@email-notification')).toEqual([400, 'The user has no e-mail address.']);
  });
});

describe.skipIf(!engines().includes('postgresql'))('a limit over several processes', () => {
  let test: TestDatabase;
  const others: PostgresDatabase[] = [];
  beforeAll(async () => {
    test = await createTestDatabase('postgresql');
    for (let n = 0; n < 2; n += 1)
      others.push(new PostgresDatabase(test.url ?? '', { log: () => undefined, poolSize: 8 }));
  });
  afterAll(async () => {
    for (const other of others) await other.close();
    await test?.drop();
  });

  it('the limit of messages lets exactly as many requests pass as it says, however many come at once', async () => {
    const at = new Date();
    const request = { kind: 'message', sender: '192.0.2.1', at, since: new Date(at.getTime() - 60_000) };
    const admitted = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const db = others[n % 2] ?? test.database;
        return db.transaction((tx) => recordRequest(tx, request, 25));
      }),
    );
    expect(admitted.filter((passed) => passed)).toHaveLength(25);
  });
});
