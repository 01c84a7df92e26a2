import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestTo } from '../../src/app/test-client.ts';
import { quickestEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const NGINX = '/usr/sbin/nginx';

/** A port of this machine that is free just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Debian's package nginx-light: the test needs the real one.
describe.runIf(existsSync(NGINX))('nginx with the rules of ops/nginx.conf', () => {
  let site: TestSite;
  let folder: string;
  let proxy: ChildProcess;
  let port: number;
  const volto = createServer((request, response) => response.end(`Volto: ${request.url}`));
  let output = '';
  beforeAll(async () => {
    const environment = { TRUST_PROXY: '127.0.0.1', METRICS_TOKEN: 'a-token-of-metrics-for-tests' };
    site = await startTestSite(quickestEngine(), { profile: 'plone', environment });
    await new Promise<void>((resolve) => volto.listen(0, '127.0.0.1', resolve));
    port = await freePort();
    const inside = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'canopy-nginx-'));
    // The workers of nginx have a user of their own.
    await chmod(folder, 0o755);
    const rules = await readFile(new URL('../../ops/nginx.conf', import.meta.url), 'utf8');
    const { port: voltoPort } = volto.address() as AddressInfo;
    const here = rules
      .replaceAll(/canopy-\d:8080/g, new URL(site.url).host)
      .replace('volto:3000', `127.0.0.1:${voltoPort}`)
      .replace('listen 8000', `listen 127.0.0.1:${port}`)
      .replace('listen 8001', `listen 127.0.0.1:${inside}`)
      .replace('mime.types', '/etc/nginx/mime.types')
      .replace('/var/cache/nginx', folder);
    await writeFile(join(folder, 'nginx.conf'), here);
    const main = `daemon off; pid ${folder}/pid; error_log stderr;`;
    proxy = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', main]);
    proxy.stderr?.on('data', (text) => {
      output += text;
    });
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
    for (let tries = 0; !(await isUp()); tries += 1) {
      if (tries === 200) throw new Error(`nginx does not start: ${output}`);
      await sleep(50);
    }
  });
  afterAll(async () => {
    proxy.kill('SIGQUIT');
    await new Promise((resolve) => proxy.once('exit', resolve));
    await new Promise((resolve) => volto.close(resolve));
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    requestTo(`http://127.0.0.1:${port}`)('GET', path, { as: 'anonymous', headers });

  it('the API is at /++api++, with the addresses that the visitor sees', async () => {
    for (const path of ['/++api++', '/++api++/', '/++api++/@site']) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.body['@id'], path).toContain(`http://127.0.0.1:${port}`);
    }
  });

  it('all other addresses are those of Volto', async () => {
    for (const path of ['/', '/news', '/login', '/++apix']) expect((await get(path)).text).toBe(`Volto: ${path}`);
  });

  it('the metrics are not there, not even with the token', async () => {
    const headers = { Authorization: 'Bearer a-token-of-metrics-for-tests' };
    expect((await fetch(`${site.url}/metrics`, { headers })).status).toBe(200);
    expect((await get('/metrics', headers)).status).toBe(404);
    const { text } = await get('/++api++/metrics', headers);
    expect(text).not.toContain('canopy_requests_total');
  });

  it('a client cannot say who it is, and cannot choose the address of links', async () => {
    const headers = { 'X-Forwarded-For': '8.8.8.8', 'X-Forwarded-Host': 'evil.example.org' };
    expect((await get('/++api++/', headers)).text).not.toContain('evil.example.org');
  });

  it('nothing is kept that the server does not allow, and what it allows only for nobody in particular', async () => {
    const title = async (headers = {}) => (await get('/++api++/@site', headers)).body['plone.site_title'];
    const change = (name: string) => site.request('PATCH', '/@controlpanels/site', { json: { site_title: name } });
    await change('One');
    expect(await title()).toBe('One');
    await change('Two');
    expect(await title()).toBe('Two');
    await site.request('PATCH', '/@controlpanels/caching', { json: { enabled: true } });
    expect(await title()).toBe('Two');
    await change('Three');
    expect(await title()).toBe('Two');
    const { body } = await site.request('POST', '/@login', { json: site.admin });
    expect(await title({ Authorization: `Bearer ${body.token}` })).toBe('Three');
    expect(await title({ Cookie: `auth_token=${body.token}` })).toBe('Three');
    const timed = await get('/++api++/@site', { Authorization: `Bearer ${body.token}` });
    expect(timed.headers.get('server-timing')).toContain('total;dur=');
    expect((await get('/++api++/@site')).headers.get('server-timing')).toBeNull();
  });

  it('a body goes on while it comes', async () => {
    const { body } = await site.request('POST', '/@login', { json: site.admin });
    let pieces = 0;
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pieces += 1;
        if (pieces > 3) return controller.close();
        controller.enqueue(new Uint8Array(300_000).fill(32));
        await sleep(100);
      },
    });
    const response = await fetch(`http://127.0.0.1:${port}/++api++/`, {
      ...{ method: 'POST', body: stream, duplex: 'half' },
      headers: { Authorization: `Bearer ${body.token}`, 'Content-Type': 'application/json' },
    } as RequestInit);
    // Blanks are no JSON: the server has read them all.
    expect(response.status).toBe(400);
  });
});
