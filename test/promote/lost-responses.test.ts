import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

describe('a plan that is sent to an address', { timeout: 30_000 }, () => {
  let sites: TwoSites;
  let tokens: [string, string];
  let plan: string;
  /** The keys of the requests that came to the site in between. */
  const keys: string[] = [];
  let losing = 0;
  /** A site in between, which loses the next responses. */
  const between = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    keys.push(String(request.headers['idempotency-key']));
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const headers = {
      Authorization: authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': String(key),
    };
    const made = await fetch(`${sites.live.url}${request.url}`, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    });
    const body = await made.text();
    if (losing > 0) {
      losing -= 1;
      response.socket?.destroy();
    } else response.writeHead(made.status, { 'Content-Type': 'application/json' }).end(body);
  });

  beforeAll(async () => {
    sites = await startTwoSites();
    tokens = [await sites.tokenOf(sites.live), await sites.tokenOf(sites.dev)];
    plan = join(sites.folder, 'plan.json');
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    between.close();
    await sites.close();
  });

  const apply = (url: string) => canopy('apply', plan, '--to', url, '--token-file', tokens[0]);

  it('It is done once when the response is lost, and anew by another run of the command.', async () => {
    const { dev, live } = sites;
    await send(dev, 'POST', '/', { '@type': 'Page', id: 'a', title: 'A' });
    await canopy(
      ...['diff', live.url, dev.url, '--token-file', tokens[0], '--token-file', tokens[1]],
      ...['--set-up=none', `--out=${plan}`],
    );
    losing = 1;
    const { port } = between.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    expect(await apply(address)).toMatchObject({ code: 0, data: { created: ['/a'] } });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    // The site has changed since: the response is not that of the first run.
    expect(await apply(address)).toMatchObject({ code: 0, data: { created: [] } });
    await send(live, 'DELETE', '/a');
    expect(await apply(address)).toMatchObject({ code: 0, data: { created: ['/a'] } });
    expect(new Set(keys).size).toBe(3);
    expect(await send(live, 'GET', '/a')).toMatchObject({ title: 'A' });
  });

  it('An address where nobody listens is one line at once.', async () => {
    const began = Date.now();
    const { code, err } = await apply('http://127.0.0.1:9');
    expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
    expect(Date.now() - began).toBeLessThan(1000);
  });
});
