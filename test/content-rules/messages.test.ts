// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places for values in texts of rules
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendSigned } from '../../src/features/webhooks/send.ts';
import { Circuit } from '../../src/lib/http/circuit.ts';
import { isPrivateAddress } from '../../src/lib/http/outgoing-request.ts';
import { addPerson } from '../content/people.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { useTestSite } from '../support/use-site.ts';
import { rulesOf } from './rule-site.ts';

type Got = { method: string; url: string; body: string; key: string };

/** A receiver of webhooks, whose responses the test sets. */
async function startReceiver() {
  const got: Got[] = [];
  const answers: { status: number; location?: string }[] = [];
  const read = async (request: IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    return text;
  };
  const server: Server = createServer(async (request, response) => {
    const body = await read(request);
    got.push({
      method: request.method ?? '',
      url: request.url ?? '',
      body,
      key: String(request.headers['idempotency-key']),
    });
    const { status, location } = answers.shift() ?? { status: 204 };
    response.writeHead(status, location === undefined ? {} : { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    got,
    answers,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Waits until a condition is true. */
async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let i = 0; i < 200; i += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It did not come to that');
}

describeQuickestEngine('what rules send', (engine) => {
  let sink: SmtpSink;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    [sink, receiver] = await Promise.all([startSmtpSink(), startReceiver()]);
  });
  afterAll(async () => {
    await sink?.close();
    await receiver?.close();
  });
  const site = useTestSite(engine, () => ({ environment: { SMTP_URL: sink.url, WEBHOOK_PRIVATE_ADDRESSES: '1' } }));
  const { ask, addPage, folderWith, failuresOf, pathOf } = rulesOf(site);

  describe('mails', () => {
    it('a mail has the values of the content and of the actor, and leaves the actor out', async () => {
      const author = await addPerson(site, { id: 'author', roles: ['Contributor'] });
      const text = `update account set email = id || '@example.org', fullname = 'An Author' where id = 'author'`;
      await site.kernel.db.query({ text });
      await ask(204, 'PATCH', '/@controlpanels/site', { frontend_domain: 'https://www.example.org' });
      const { folder } = await folderWith({
        actions: [
          {
            type: 'send_email',
            subject: 'New: ${title}',
            source: 'rules@example.org',
            recipients: 'one@example.org, ${owner_email}, two@example.org, ONE@example.org',
            exclude_actor: true,
            message:
              '${user_fullname} (${user_id}) added ${absolute_url} in ${parent_title}: ${review_state} ${no_such_value}',
          },
        ],
      });
      const page = await addPage(folder, { title: 'Big news' }, author);
      for (const to of ['one@example.org', 'two@example.org']) {
        const [mail] = await sink.arrived(to);
        expect(mail?.subject).toBe('New: Big news');
        expect(mail?.headers.from).toContain('rules@example.org');
        const address = `https://www.example.org${pathOf(page)}`;
        expect(mail?.text.trim()).toBe(
          `An Author (author) added ${address} in ${folder.slice(1)}: private ${'$'}{no_such_value}`,
        );
      }
      expect(sink.mails.flatMap(({ envelope }) => envelope.to).sort()).toEqual(['one@example.org', 'two@example.org']);
    });

    it('a mail of a rule without a recipient or sender is a failure of the rule', async () => {
      const mail = { type: 'send_email', subject: 'S', message: 'M' };
      for (const more of [
        { recipients: '${reader_emails}' },
        { recipients: 'a@example.org', source: '${owner_email}x' },
      ]) {
        const refused = await site.request('POST', '/@controlpanels/content-rules/none/action', {
          json: { ...mail, ...more },
        });
        expect(refused.status).toBeGreaterThanOrEqual(400);
      }
      const { folder, rule } = await folderWith({ actions: [{ ...mail, recipients: '${reader_emails}' }] });
      await addPage(folder);
      expect((await failuresOf(rule)).items[0].message).toContain('nobody');
    });

    it('rules send nothing for a rejected write', async () => {
      const { folder } = await folderWith({
        event: 'onAfterModified',
        actions: [{ type: 'send_email', subject: 'S', message: 'M', recipients: 'never@example.org' }],
      });
      const page = pathOf(await addPage(folder));
      await ask(400, 'PATCH', page, { title: 'Changed', id: 'not/an/id' });
      const rows = await site.kernel.db.query({
        text: `select from queue_item where kind = 'mail' and data::text like '%never@%'`,
      });
      expect(rows).toEqual([]);
    });
  });

  describe('webhooks', () => {
    const hook = (more: object = {}) => ({ type: 'webhook', url: `${receiver.url}/hook`, method: 'POST', ...more });

    it('a webhook says what happened, after the commit', async () => {
      const { folder, rule } = await folderWith({ actions: [hook()] });
      const page = await addPage(folder, { title: 'News' });
      const sent = await until(() => receiver.got.find(({ body }) => body.includes(page.UID)));
      expect(sent).toMatchObject({ method: 'POST', url: '/hook' });
      expect(JSON.parse(sent.body)).toMatchObject({
        ...{ event: 'onAfterAdd', rule, '@type': PAGE, title: 'News', path: pathOf(page), user: 'admin' },
      });
    });

    it('a custom body of a webhook has values in its texts, which stay texts', async () => {
      const body = JSON.stringify({ text: 'Hello "${title}"', list: ['${id}', 5, null], key: { '${title}': true } });
      const { folder } = await folderWith({ actions: [hook({ method: 'PUT', body, url: `${receiver.url}/own` })] });
      await addPage(folder, { title: 'A "quoted" one\\', id: 'quoted' });
      const sent = await until(() => receiver.got.find(({ url }) => url === '/own'));
      expect(sent.method).toBe('PUT');
      expect(JSON.parse(sent.body)).toEqual({
        text: 'Hello "A "quoted" one\\"',
        list: ['quoted', 5, null],
        key: { '${title}': true },
      });
    });

    it('a rejected webhook is reported by the rule, and a temporary failure is repeated with the same key', async () => {
      const refused = await folderWith({ actions: [hook({ url: `${receiver.url}/refuse` })] });
      receiver.answers.push({ status: 410 });
      await addPage(refused.folder);
      const told = await until(async () => (await failuresOf(refused.rule)).items[0]);
      expect(told.message).toContain('410');
      const passing = await folderWith({ actions: [hook({ url: `${receiver.url}/later` })] });
      receiver.answers.push({ status: 503 });
      await addPage(passing.folder);
      expect((await until(async () => (await failuresOf(passing.rule)).items[0])).message).toContain('tried again');
      const { webhooks } = await ask(200, 'GET', `/@controlpanels/content-rules/${passing.rule}`);
      expect(webhooks).toEqual({
        waiting: 1,
        items: [expect.objectContaining({ url: `${receiver.url}/later`, method: 'POST', attempts: 1 })],
      });
      const [{ next, until: last }] = webhooks.items;
      expect(Date.parse(next)).toBeGreaterThan(Date.now() + 5000);
      expect(Date.parse(last)).toBeGreaterThan(Date.now() + 23 * 60 * 60_000);
      await site.kernel.db.query({
        text: `with now_due as (update queue_item set due = now() where kind = 'webhook') select pg_notify('canopy_queue', 'webhook')`,
      });
      const tries = await until(() => {
        const found = receiver.got.filter(({ url }) => url === '/later');
        return found.length > 1 ? found : undefined;
      });
      expect(new Set(tries.map(({ key }) => key)).size).toBe(1);
    });

    it('a webhook follows no redirect, so that its signature reaches nobody else, and the rule lists it', async () => {
      const { folder, rule } = await folderWith({ actions: [hook({ url: `${receiver.url}/moved` })] });
      for (const status of [307, 308]) receiver.answers.push({ status, location: `${receiver.url}/elsewhere` });
      await addPage(folder);
      const listed = await until(async () => (await failuresOf(rule)).items[0]);
      expect(listed.message).toContain('redirects with the status 307');
      receiver.answers.length = 0;
      expect(receiver.got.filter(({ url }) => url === '/elsewhere')).toEqual([]);
    });

    it.each([
      'http://127.0.0.1:9',
      'http://localhost:9',
      'http://[::1]:9',
      'http://[::ffff:127.0.0.1]:9',
      'http://2130706433',
    ])('a webhook to the private address %s is rejected unless it is allowed', async (url) => {
      const request = { id: '1', url, method: 'POST', body: '{}' };
      const options = { secrets: [], circuit: new Circuit(), isPrivateAllowed: false };
      await expect(sendSigned(request, options)).rejects.toThrow('private network');
    });

    it('addresses of private networks are known', () => {
      for (const address of ['10.1.2.3', '169.254.169.254', '172.20.0.1', '192.168.0.1', 'fd00::1', 'fe80::1', '::'])
        expect(isPrivateAddress(address), address).toBe(true);
      for (const address of ['93.184.216.34', '2606:2800:220:1::1'])
        expect(isPrivateAddress(address), address).toBe(false);
    });
  });
});
