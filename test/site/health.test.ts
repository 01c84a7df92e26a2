import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Exchange } from '../../src/core/http/exchange.ts';
import { RequestCounts } from '../../src/core/http/request-counts.ts';
import type { Observation } from '../../src/core/kernel/kernel.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { checkHealth } from '../../src/features/monitoring/health.ts';
import { spaceStatus } from '../../src/features/monitoring/health-checks.ts';
import { createTestDatabase, describeEachEngine, engines, quickestEngine } from '../support/database.ts';
import { createTestKernel, startTestSite, type TestSite } from '../support/site.ts';

let observed: () => Promise<Observation> = async () => ({ status: 'pass' });

/** A health check whose result the tests set. Its results are never reused. */
const states = defineFeature({
  name: 'states',
  healthChecks: [{ name: 'test:state', componentType: 'component', keep: 0, observe: () => observed() }],
});
function setCheck(observe: () => Promise<Observation>): void {
  observed = observe;
}
const setState = (observation: Observation): void => setCheck(async () => observation);

describeEachEngine('@health', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine, { features: [states] });
  });
  afterEach(() => setState({ status: 'pass' }));
  afterAll(() => site?.close());

  const health = (as: 'anonymous' | 'admin' = 'anonymous') => site.request('GET', '/@health', { as });

  it('@health is public and has the format of health checks', async () => {
    const { status, headers, body } = await health();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/health\+json\b/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ '@id': `${site.url}/@health`, status: expect.stringMatching(/^(pass|warn)$/) });
    expect(body.checks).toMatchObject({
      uptime: [{ componentType: 'system', observedUnit: 's', status: 'pass' }],
      'database:responseTime': [{ componentType: 'datastore', observedUnit: 'ms' }],
      'blobStore:responseTime': [{ componentType: 'datastore', observedUnit: 'ms' }],
      'disk:available': [{ componentType: 'system', observedUnit: 'bytes' }],
      'requests:longRunning': [{ observedValue: 0, status: 'pass' }],
    });
    const [{ time }] = body.checks.uptime;
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  });

  it.each([
    ['pass', 200],
    ['warn', 200],
    ['fail', 503],
  ] as const)('@health has the status %s of a registered check and returns %d', async (state, status) => {
    setState({ status: state, observedValue: 7 });
    const response = await health();
    expect(response.status).toBe(status);
    expect(response.body.checks['test:state']).toMatchObject([{ componentType: 'component', observedValue: 7 }]);
    // The disk of the machine may be nearly full, so that any status is allowed.
    if (state !== 'pass') expect(response.body.status).toBe(state);
  });

  it('only managers see the version and the output of checks in @health', async () => {
    setCheck(async () => {
      throw new Error('secret of /var/lib');
    });
    const [anonymous, manager] = [await health(), await health('admin')];
    expect([anonymous.status, manager.status]).toEqual([503, 503]);
    expect(anonymous.text).not.toContain('secret');
    expect(anonymous.body.version).toBeUndefined();
    expect(manager.body.checks['test:state']).toMatchObject([{ status: 'fail', output: 'secret of /var/lib' }]);
    expect(manager.body.version).toMatch(/^\d+\.\d+/);
  });
});

describe('health checks', () => {
  it('a health check that hangs fails in time and is not started again', async () => {
    const { kernel, close } = await createTestKernel(quickestEngine(), { features: [states] });
    let begun = 0;
    let release = (): void => {};
    setCheck(() => {
      begun += 1;
      return new Promise((resolve) => {
        release = () => resolve({ status: 'pass' });
      });
    });
    const start = performance.now();
    const both = await Promise.all([1, 2].map(() => checkHealth(kernel, { details: true })));
    expect(performance.now() - start).toBeLessThan(5000);
    for (const { status, checks } of both) {
      expect(status).toBe('fail');
      expect(checks['test:state']?.[0]?.output).toMatch(/^No answer/);
    }
    expect(begun).toBe(1);
    release();
    setState({ status: 'pass' });
    await close();
  });

  it('the health check of the blob store writes at most once in several seconds', async () => {
    const { kernel, close } = await createTestKernel(quickestEngine());
    let written = 0;
    const put = kernel.blobs.put.bind(kernel.blobs);
    kernel.blobs.put = (source) => {
      written += 1;
      return put(source);
    };
    await Promise.all([1, 2, 3].map(() => checkHealth(kernel, { details: false })));
    await checkHealth(kernel, { details: false });
    expect(written).toBe(1);
    await close();
  });

  it('the health check of the disk warns before it fails', () => {
    expect([50_000_000, 500_000_000, 50_000_000_000].map(spaceStatus)).toEqual(['fail', 'warn', 'pass']);
  });

  it('the health check of requests counts those without a response', async () => {
    const counts = new RequestCounts();
    const server = createServer((raw, response) => {
      const { url = '' } = raw;
      new Exchange(
        { counts, names: new Set(), accessLog: undefined, isTraced: false },
        { id: url, raw, originalUrl: url, ip: '' },
        { raw: response, getHeader: () => undefined },
      );
      if (url === '/begun') response.write('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const clients = ['/waiting', '/begun'].map((path) => request({ port, path }).on('error', () => {}));
    for (const client of clients) client.end();
    await expect.poll(() => counts.longerThan(50)).toBe(1);
    for (const client of clients) client.destroy();
    await expect.poll(() => counts.longerThan(0)).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe.runIf(engines().includes('postgresql'))('a database that has no connection left', () => {
  it('a database without free connections fails its health check in time', async () => {
    const { kernel, close } = await createTestKernel('postgresql');
    const busy = await createTestDatabase('postgresql', { poolSize: 1 });
    let release = (): void => {};
    const held = busy.database.transaction(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await sleep(50);
    const start = performance.now();
    const { status, checks } = await checkHealth({ ...kernel, db: busy.database }, { details: true });
    expect(performance.now() - start).toBeLessThan(5000);
    expect(status).toBe('fail');
    expect(checks['database:responseTime']?.[0]).toMatchObject({ status: 'fail' });
    release();
    await held;
    await busy.drop();
    await close();
  });
});
