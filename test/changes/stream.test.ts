import { createParser } from 'eventsource-parser';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { PushStream } from '../../src/features/changes/listener.ts';
import { make } from '../content/make.ts';
import { addPerson, tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { now } from './client.ts';

type Heard = { id: string | undefined; event: string | undefined; path: string };

/** Listens with server-sent events. `heard` grows as they come; `ended` resolves when the server ends the stream. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { Accept: 'text/event-stream', ...headers }, signal: abort.signal });
  const heard: Heard[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => heard.push({ id, event, path: JSON.parse(data).path }),
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const ended = response.ok ? read().catch(() => undefined) : Promise.resolve();
  const until = async (condition: () => boolean): Promise<void> => {
    for (const ends = Date.now() + 15_000; !condition(); ) {
      if (Date.now() > ends) throw new Error(`Heard ${JSON.stringify(heard)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { response, heard, ended, until, close: () => abort.abort() };
}

describeEachEngine('streams of changes', (engine) => {
  const site = useTestSite(engine);
  let admin: Who;
  let token = '';
  const open: { close(): void }[] = [];

  beforeAll(async () => {
    admin = await tokenOf(site, 'admin');
    token = (await addPerson(site, { id: 'listener', roles: ['Member'] })).token;
  });
  afterEach(() => {
    for (const { close } of open.splice(0)) close();
  });

  const start = async (headers?: Record<string, string>, query = '') => {
    // What has changed before is known then, and ends no stream.
    await site.request('GET', '/', { as: 'anonymous' });
    const stream = await listen(`${site.url}/@changes${query}`, headers);
    open.push(stream);
    return stream;
  };
  const settings = async (json: object): Promise<void> => {
    const response = await site.request('PATCH', '/@controlpanels/changes', { as: admin, json });
    expect(response.status, response.text).toBe(204);
  };

  it('Listeners get events as they happen, and go on from the last one.', async () => {
    const first = await start();
    expect(first.response.headers.get('content-type')).toContain('text/event-stream');
    await make(site.kernel, '/', { id: 'unheard' });
    await make(site.kernel, '/', { id: 'one' }, { state: 'published' });
    await first.until(() => first.heard.length === 1);
    expect(first.heard).toMatchObject([{ event: 'created', path: '/one' }]);
    first.close();
    await make(site.kernel, '/', { id: 'two' }, { state: 'published' });
    await make(site.kernel, '/', { id: 'three' }, { state: 'published' });
    const second = await start({ 'Last-Event-ID': first.heard[0]?.id ?? '' });
    await second.until(() => second.heard.length === 2);
    await make(site.kernel, '/', { id: 'four' }, { state: 'published' });
    await second.until(() => second.heard.length === 3);
    expect(second.heard.map(({ path }) => path)).toEqual(['/two', '/three', '/four']);
  });

  it('Filters narrow a stream, and a cursor of other rights is gone.', async () => {
    const stream = await start({ Authorization: `Bearer ${token}` }, '?type=Folder');
    await make(site.kernel, '/', { id: 'a-page' }, { state: 'published' });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'a-folder' }, { state: 'published' });
    await stream.until(() => stream.heard.length === 1);
    expect(stream.heard).toMatchObject([{ path: '/a-folder' }]);
    const other = await start({ 'Last-Event-ID': stream.heard[0]?.id ?? '' });
    expect(other.response.status).toBe(410);
  });

  it('A stream ends when the rights of its caller may have changed; that of a visitor goes on.', async () => {
    const visitor = await start();
    const member = await start({ Authorization: `Bearer ${token}` });
    await make(site.kernel, '/', { id: 'before' }, { state: 'published' });
    await member.until(() => member.heard.length === 1);
    const change = await site.request('PATCH', '/@users/listener', { as: admin, json: { roles: { Reader: true } } });
    expect(change.status, change.text).toBe(204);
    await member.ended;
    await make(site.kernel, '/', { id: 'after' }, { state: 'published' });
    await visitor.until(() => visitor.heard.length === 2);
    expect(member.heard.map(({ path }) => path)).toEqual(['/before']);
  });

  it('A client, and a process, have only so many listeners.', async () => {
    await settings({ listeners_per_client: 1 });
    const one = await start();
    expect((await start()).response.status).toBe(429);
    expect((await start({ Authorization: `Bearer ${token}` })).response.status).toBe(200);
    await settings({ listeners_per_client: 100, listeners: 1 });
    const refused = await start();
    expect(refused.response.status).toBe(503);
    expect(refused.response.headers.get('retry-after')).not.toBeNull();
    const since = await now(site, 'anonymous');
    expect((await site.request('GET', `/@changes?since=${since}&wait=5`, { as: 'anonymous' })).status).toBe(503);
    one.close();
    await settings({ listeners: 10_000 });
  });

  it('A client that does not read is disconnected.', () => {
    let left = 0;
    const stream = new PushStream(() => {
      left += 1;
    });
    const piece = Buffer.alloc(100_000);
    expect([stream.send(piece), stream.send(piece), stream.send(piece)]).toEqual([true, true, false]);
    expect(stream.destroyed).toBe(true);
    return new Promise<void>((resolve) =>
      stream.once('close', () => {
        expect(left).toBe(1);
        resolve();
      }),
    );
  });

  it('A client that has read all gets as many bytes as there are, and nothing behind the end.', () => {
    const stream = new PushStream(() => undefined);
    const errors: unknown[] = [];
    stream.on('error', (error) => errors.push(error));
    expect(stream.send(Buffer.alloc(300_000))).toBe(true);
    stream.finish();
    stream.finish();
    expect(stream.send(Buffer.alloc(1))).toBe(false);
    expect(errors).toEqual([]);
    stream.destroy();
  });

  it('Streams end at once when the server closes.', async () => {
    const own = await startTestSite(engine);
    const stream = await listen(`${own.url}/@changes`);
    const began = Date.now();
    await own.close();
    await stream.ended;
    expect(Date.now() - began).toBeLessThan(8000);
  });
});
