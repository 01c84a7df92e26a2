import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSite } from '../../src/app/serve-site.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { ConfigError } from '../../src/core/configuration/environment/setting-names.ts';
import { type ObservedSite, readMetrics, startObservedSite } from './observed-site.ts';

const TOKEN = 'a-token-of-metrics-for-tests';

describe('metrics on a port of their own', () => {
  let site: ObservedSite;
  beforeAll(async () => {
    site = await startObservedSite({ METRICS_PORT: '0' });
  });
  afterAll(() => site.close());
  const metrics = () => readMetrics(site.metricsAddress());

  /** How much the values of a metric grow while some work is done. */
  async function growth(name: string, work: () => Promise<unknown>): Promise<number> {
    const before = (await metrics()).get(name) ?? 0;
    await work();
    // A request is counted when its connection has taken the whole response.
    await sleep(50);
    return ((await metrics()).get(name) ?? 0) - before;
  }

  it('requests are counted by service and class of the status', async () => {
    const times = async (path: string, n: number) => {
      for (let i = 0; i < n; i += 1) await site.request('GET', path, { as: 'anonymous' });
    };
    expect(await growth('canopy_requests_total{service="content",status="2xx"}', () => times('/', 3))).toBe(3);
    expect(await growth('canopy_requests_total{service="@search",status="2xx"}', () => times('/@search', 2))).toBe(2);
    expect(await growth('canopy_requests_total{service="content",status="4xx"}', () => times('/nowhere', 2))).toBe(2);
    expect(await growth('canopy_request_duration_seconds_count{service="content"}', () => times('/', 4))).toBe(4);
  });

  it('no address of a client becomes a label', async () => {
    const before = await metrics();
    for (let i = 0; i < 5; i += 1) {
      await site.request('GET', `/a-${i}/b/@invented-${i}`, { as: 'anonymous' });
      await site.request('GET', `/%ff${i}`, { as: 'anonymous' });
    }
    await sleep(50);
    const after = await metrics();
    const added = [...after.keys()].filter((name) => !before.has(name));
    for (const name of added) expect(name).toMatch(/service="unknown"|status="4xx"/);
    expect(after.get('canopy_requests_total{service="unknown",status="4xx"}')).toBeGreaterThanOrEqual(10);
  });

  it('the buckets of a histogram add up to its number of requests', async () => {
    const text = await (await fetch(site.metricsAddress())).text();
    const name = 'canopy_request_duration_seconds';
    expect(text).toContain(`# TYPE ${name} histogram`);
    const all = await metrics();
    const buckets = [...all]
      .filter(([key]) => key.startsWith(`${name}_bucket{service="content"`))
      .map(([, value]) => value);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBe(all.get(`${name}_count{service="content"}`));
    expect(all.get(`${name}_sum{service="content"}`)).toBeGreaterThan(0);
  });

  it('a response from memory counts as a hit, a new one as a miss, and a change as invalidation', async () => {
    const path = '/?expand=types&counted';
    const read = () => site.request('GET', path, { as: 'anonymous' });
    expect(await growth('canopy_cache_misses_total{cache="responses"}', read)).toBe(1);
    expect(await growth('canopy_cache_hits_total{cache="responses"}', read)).toBe(1);
    const change = async () => {
      const { status } = await site.request('PATCH', '/', { json: { title: 'Changed' } });
      expect(status).toBe(204);
      await read();
    };
    expect(await growth('canopy_cache_invalidated_total{cache="responses"}', change)).toBeGreaterThan(0);
    expect((await metrics()).get('canopy_cache_bytes{cache="responses"}')).toBeGreaterThan(100);
  });

  it('statements and their time are counted', async () => {
    const read = () => site.request('GET', '/@search?SearchableText=rare');
    expect(await growth('canopy_database_statements_total', read)).toBeGreaterThan(0);
    expect(await growth('canopy_database_round_trip_seconds_count', read)).toBeGreaterThan(0);
    expect((await metrics()).get('canopy_database_connections{state="most"}')).toBeGreaterThan(0);
  });

  it('waiting work is counted by its kind, with the age of the oldest', async () => {
    const { db } = site.kernel;
    const text = `insert into queue_item (kind, topic, data, created, due, attempts, error) values
      ('sleepy', 'a', '{}', now() - interval '90 seconds', now() + interval '1 hour', 1, 'refused'),
      ('sleepy', 'b', '{}', now(), now() + interval '1 hour', 1, null)`;
    await db.query({ text });
    await expect
      .poll(async () => (await metrics()).get('canopy_queue_waiting{kind="sleepy"}'), { timeout: 8000 })
      .toBe(1);
    const all = await metrics();
    expect(all.get('canopy_queue_running{kind="sleepy"}')).toBe(1);
    expect(all.get('canopy_queue_failed{kind="sleepy"}')).toBe(1);
    expect(all.get('canopy_queue_oldest_seconds{kind="sleepy"}')).toBeGreaterThanOrEqual(90);
    expect(all.get('canopy_queue_waiting{kind="job"}')).toBe(0);
    expect(all.get('canopy_database_up')).toBe(1);
  });

  it('the process says how late its event loop is, and how much memory it takes', async () => {
    await metrics();
    // A scrape begins anew, with the next look at the event loop.
    await sleep(100);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await sleep(50);
    const all = await metrics();
    expect(all.get('nodejs_eventloop_lag_seconds{quantile="1"}')).toBeGreaterThan(0.2);
    expect(all.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });

  it('the port of the site does not have them, and their port has nothing else', async () => {
    expect((await site.request('GET', '/metrics')).status).toBe(404);
    const other = await fetch(site.metricsAddress().replace('/metrics', '/'));
    expect(other.status).toBe(404);
    expect((await fetch(site.metricsAddress(), { method: 'POST' })).status).toBe(404);
  });

  it('two sites of one process count for themselves', async () => {
    const second = await startObservedSite({ METRICS_PORT: '0' });
    await second.request('GET', '/@types', { as: 'admin' });
    await sleep(50);
    const name = 'canopy_requests_total{service="@types",status="2xx"}';
    expect((await readMetrics(second.metricsAddress())).get(name)).toBe(1);
    expect((await metrics()).get(name)).toBeUndefined();
    await second.close();
  });

  it('metrics are there while the database is away', async () => {
    const alone = await startObservedSite({ METRICS_PORT: '0' });
    alone.kernel.db.query = () => Promise.reject(new Error('away'));
    const all = await readMetrics(alone.metricsAddress());
    expect(all.get('canopy_database_up')).toBe(0);
    expect(all.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(alone.lines.some(({ msg }) => msg === 'the waiting work could not be counted for metrics')).toBe(true);
    await alone.close();
  });
});

describe('metrics on the port of the site', () => {
  let site: ObservedSite;
  beforeAll(async () => {
    site = await startObservedSite({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => site.close());

  it('they need the token', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: TOKEN },
      { Authorization: `Bearer ${TOKEN}x` },
    ]) {
      const response = await fetch(`${site.url}/metrics`, { headers });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('canopy_');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    const all = await readMetrics(`${site.url}/metrics`, { Authorization: `Bearer ${TOKEN}` });
    expect(all.get('canopy_requests_running')).toBe(1);
    expect(all.get('canopy_connections_open')).toBeGreaterThan(0);
  });

  it('the token opens nothing else', async () => {
    const response = await fetch(`${site.url}/@users`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(401);
  });
});

describe('the settings of metrics', () => {
  it('without them there are no metrics anywhere', async () => {
    const site = await startObservedSite();
    expect((await site.request('GET', '/metrics')).status).toBe(404);
    expect(site.lines.some(({ msg }) => msg === 'metrics are served')).toBe(false);
    await site.close();
  });

  it.each([
    [{ METRICS_PORT: 'x' }, 'METRICS_PORT'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN'],
    [{ METRICS_TOKEN: 'a token with blanks in it' }, 'METRICS_TOKEN'],
    [{ ACCESS_LOG: 'yes' }, 'ACCESS_LOG'],
    [{ SLOW_STATEMENT_MS: '-1' }, 'SLOW_STATEMENT_MS'],
  ])('%o is rejected in one line that names the setting', (environment, name) => {
    expect(() => parseConfig({ ...environment })).toThrow(ConfigError);
    expect(() => parseConfig({ ...environment })).toThrow(name);
  });

  it('a token of metrics is not repeated in the message', () => {
    expect(() => parseConfig({ METRICS_TOKEN: 'secret' })).not.toThrow('secret');
  });

  it('a port that is taken stops the start', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const site = await startObservedSite();
    const config = { ...site.kernel.config, metricsPort: port };
    const kernel = { ...site.kernel, config };
    await expect(serveSite(kernel, { host: '127.0.0.1', port: 0, jobs: false })).rejects.toThrow('EADDRINUSE');
    await site.close();
    await new Promise((resolve) => blocker.close(resolve));
  });
});
