import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { MAX_WAITING_OF_ONE } from '../../src/features/webhooks/dispatch.ts';
import { MESSAGES } from '../../src/features/webhooks/messages.ts';
import { sendSigned } from '../../src/features/webhooks/send.ts';
import { Circuit } from '../../src/lib/http/circuit.ts';
import { now } from '../changes/client.ts';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Who } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

const verify = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(
    text,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );

const short = ({ body: { type, data } }: Received): string => `${type} ${data.path}`;

describeEachEngine('webhooks', (engine) => {
  const { site, sink } = useMailingSite(engine, { WEBHOOK_PRIVATE_ADDRESSES: '1' });
  let admin: Who;
  let receiver: Receiver;
  let hook: { id: string; secret: string };

  const ask = async (status: number, method: string, path: string, json?: object) => {
    const response = await site.request(method, path, { as: admin, ...(json && { json }) });
    expect(response.status, response.text).toBe(status);
    return response.text === '' ? {} : JSON.parse(response.text);
  };

  beforeAll(async () => {
    admin = await tokenOf(site, 'admin');
    await site.kernel.db.query({ text: `update account set email = 'admin@example.org' where id = 'admin'` });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    hook = await ask(201, 'POST', '/@webhooks', { title: 'Front end', url: receiver.url });
  });
  afterEach(async () => {
    await ask(204, 'DELETE', `/@webhooks/${hook.id}`);
    await receiver.close();
  });

  it('A change that visitors see is sent, signed as Standard Webhooks has it.', async () => {
    await make(site.kernel, '/', { id: 'hidden' });
    await make(site.kernel, '/', { id: 'shown' }, { state: 'published' });
    await ask(204, 'PATCH', '/shown', { title: 'Other' });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received.map(short).sort()).toEqual(['content.changed /shown', 'content.created /shown']);
    for (const request of receiver.received) {
      expect(verify(hook.secret, request)).toMatchObject({ id: request.headers['webhook-id'] });
      expect(() => verify(`whsec_${Buffer.from('another').toString('base64')}`, request)).toThrow();
    }
    const { items } = await ask(200, 'GET', `/@webhooks/${hook.id}/attempts`);
    expect(items).toMatchObject([
      { status: 204, problem: null },
      { status: 204, problem: null },
    ]);
    const shown = await ask(200, 'GET', `/@webhooks/${hook.id}`);
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    await ask(204, 'DELETE', '/hidden');
    await ask(204, 'DELETE', '/shown');
  });

  it('Filters choose what is sent; everything includes what visitors do not see.', async () => {
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { audience: 'everything', events: ['created'], path: '/inside' });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'inside' });
    await make(site.kernel, '/', { id: 'outside' });
    await make(site.kernel, '/inside', { id: 'page' });
    await ask(204, 'DELETE', '/inside');
    await receiver.until(({ length }) => length === 2);
    await ask(200, 'POST', `/@webhooks/${hook.id}/test`);
    expect(receiver.received.map(short)).toHaveLength(3);
    expect(receiver.received.slice(0, 2).map(short).sort()).toEqual([
      'content.created /inside',
      'content.created /inside/page',
    ]);
    await ask(204, 'DELETE', '/outside');
  });

  it('A secret is replaced with an overlap, in which both verify.', async () => {
    const { secret } = await ask(200, 'POST', `/@webhooks/${hook.id}/secret`);
    await ask(200, 'POST', `/@webhooks/${hook.id}/test`);
    const [first] = receiver.received;
    if (!first) throw new Error('Nothing was received');
    expect(verify(secret, first)).toMatchObject({ type: 'test' });
    expect(verify(hook.secret, first)).toMatchObject({ type: 'test' });
    const next = await ask(200, 'POST', `/@webhooks/${hook.id}/secret`, { overlap_hours: 0 });
    await ask(200, 'POST', `/@webhooks/${hook.id}/test`);
    const [, second] = receiver.received;
    if (!second) throw new Error('Nothing was received');
    expect(verify(next.secret, second)).toMatchObject({ type: 'test' });
    expect(() => verify(secret, second)).toThrow();
  });

  it('A failed message is tried again; a receiver that is gone pauses the webhook, which then misses nothing.', async () => {
    receiver.state.status = 410;
    await make(site.kernel, '/', { id: 'missed' }, { state: 'published' });
    await receiver.until(({ length }) => length > 0);
    for (;;) {
      const { paused } = await ask(200, 'GET', `/@webhooks/${hook.id}`);
      if (paused !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await ask(200, 'POST', `/@webhooks/${hook.id}/test`)).toMatchObject({ delivered: false, status: 410 });
    await make(site.kernel, '/', { id: 'meanwhile' }, { state: 'published' });
    receiver.state.status = 204;
    receiver.received.length = 0;
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { enabled: true });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received.map(short).sort()).toEqual(['content.created /meanwhile', 'content.created /missed']);
    const [mail] = await sink.arrived('admin@example.org');
    expect(JSON.stringify(mail)).toContain('Front end');
    await ask(204, 'DELETE', '/missed');
    await ask(204, 'DELETE', '/meanwhile');
  });

  it('What was sent can be sent once more, under the same id.', async () => {
    const since = await now(site, admin);
    await make(site.kernel, '/', { id: 'again' }, { state: 'published' });
    await receiver.until(({ length }) => length === 1);
    await ask(204, 'POST', `/@webhooks/${hook.id}/replay`, { since });
    await receiver.until(({ length }) => length === 2);
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(1);
    await ask(400, 'POST', `/@webhooks/${hook.id}/replay`, {});
    await ask(400, 'POST', `/@webhooks/${hook.id}/replay`, { since: 'x' });
    await ask(410, 'POST', `/@webhooks/${hook.id}/replay`, { from: '2001-01-01' });
    await ask(204, 'DELETE', '/again');
  });

  it('All that has happened since a moment can be sent once more, also where nothing has.', async () => {
    const from = new Date().toISOString();
    await ask(204, 'POST', `/@webhooks/${hook.id}/replay`, { from });
    await make(site.kernel, '/', { id: 'since' }, { state: 'published' });
    await receiver.until(({ length }) => length === 1);
    await ask(204, 'POST', `/@webhooks/${hook.id}/replay`, { from });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received.map(short)).toEqual(['content.created /since', 'content.created /since']);
    await ask(204, 'DELETE', '/since');
  });

  it('One that is switched off sends nothing of what waits, and everything once it is on again.', async () => {
    receiver.state.status = 500;
    await make(site.kernel, '/', { id: 'waits' }, { state: 'published' });
    await receiver.until(({ length }) => length > 0);
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { enabled: false });
    expect(await ask(200, 'GET', `/@webhooks/${hook.id}`)).toMatchObject({ waiting: 0, paused: null });
    receiver.state.status = 204;
    receiver.received.length = 0;
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { enabled: true });
    await receiver.until(({ length }) => length === 1);
    expect(receiver.received.map(short)).toEqual(['content.created /waits']);
    await ask(204, 'DELETE', '/waits');
  });

  it('What was taken back and is not in the feed any more is noted as lost; it goes on with what the feed has.', async () => {
    receiver.state.status = 500;
    await make(site.kernel, '/', { id: 'pruned' }, { state: 'published' });
    await receiver.until(({ length }) => length > 0);
    await make(site.kernel, '/', { id: 'after-pruned' }, { state: 'published' });
    await make(site.kernel, '/', { id: 'the-last' }, { state: 'published' });
    await receiver.until(({ length }) => length > 2);
    await site.kernel.db.query({
      text: `delete from content_event where position <= (select max(position) from content_event where path = '/pruned')`,
    });
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { enabled: false });
    const { items } = await ask(200, 'GET', `/@webhooks/${hook.id}/attempts`);
    expect(items[0]).toMatchObject({ type: 'lost', problem: expect.stringContaining('does not have any more') });
    receiver.state.status = 204;
    receiver.received.length = 0;
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { enabled: true });
    await receiver.until((all) => all.map(short).includes('content.created /the-last'));
    for (const id of ['pruned', 'after-pruned', 'the-last']) await ask(204, 'DELETE', `/${id}`);
  });

  it('A replay takes neither a key nor a dry run.', async () => {
    const json = { from: new Date().toISOString() };
    const url = `/@webhooks/${hook.id}/replay`;
    const headers = { 'Idempotency-Key': 'once' };
    expect((await site.request('POST', url, { as: admin, json, headers })).status).toBe(400);
    expect((await site.request('POST', `${url}?dry_run=1`, { as: admin, json })).status).toBe(400);
  });

  it('One whose receiver takes nothing leaves room in the queue for the others.', async () => {
    const { db } = site.kernel;
    await db.query({
      text: `insert into queue_item (kind, topic, data, due)
        select $1, $2, '{}', now() + interval '1 day' from generate_series(1, $3)`,
      values: [MESSAGES.name, hook.id, MAX_WAITING_OF_ONE],
    });
    const other = await ask(201, 'POST', '/@webhooks', { title: 'Other', url: receiver.url });
    await make(site.kernel, '/', { id: 'room' }, { state: 'published' });
    await receiver.until(({ length }) => length === 1);
    expect(await ask(200, 'GET', `/@webhooks/${hook.id}`)).toMatchObject({ waiting: MAX_WAITING_OF_ONE });
    await db.query({ text: 'delete from queue_item where topic = $1', values: [hook.id] });
    await ask(204, 'PATCH', `/@webhooks/${hook.id}`, { title: 'With room' });
    await receiver.until(({ length }) => length === 2);
    await ask(204, 'DELETE', `/@webhooks/${other.id}`);
    await ask(204, 'DELETE', '/room');
  });

  it('A request without a body is signed as such.', async () => {
    const options = { secrets: [hook.secret], circuit: new Circuit(), isPrivateAllowed: true };
    await sendSigned({ id: 'msg_1', url: receiver.url, method: 'GET', body: '{"not": "sent"}' }, options);
    const [request] = receiver.received;
    expect(request?.text).toBe('');
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request?.headers ?? {};
    const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64');
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${at}.`).digest('base64')}`);
  });

  it('Bad settings are rejected with what to do.', async () => {
    await ask(400, 'POST', '/@webhooks', { title: '', url: 'ftp://example.org' });
    await ask(400, 'POST', '/@webhooks', { title: 'x', url: 'https://a:b@example.org' });
    await ask(400, 'PATCH', `/@webhooks/${hook.id}`, { events: ['exploded'] });
    await ask(400, 'PATCH', `/@webhooks/${hook.id}`, { path: 'news/' });
    await ask(404, 'GET', '/@webhooks/unknown');
    await ask(404, 'POST', '/@webhooks/unknown/test');
  });
});
