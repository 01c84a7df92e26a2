import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPublic } from '../../src/lib/http/outgoing-request.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const PANEL = '/@controlpanels/login-providers';

/** A server on this machine that counts who connects. */
function countingServer() {
  let connections = 0;
  const server = createServer((_, response) => response.end('{}'));
  server.on('connection', () => {
    connections += 1;
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return {
    get port(): number {
      const address = server.address();
      return typeof address === 'object' && address ? address.port : 0;
    },
    connections: () => connections,
  };
}

describe('requests to login providers of a site', () => {
  const local = countingServer();

  it('go to no address of a private network, whatever its spelling, and to no name that leads there', async () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'localhost.'];
    for (const host of hosts)
      await expect(fetchPublic(`http://${host}:${local.port}/`, { method: 'GET', headers: {} }), host).rejects.toThrow(
        'private network',
      );
    expect(local.connections()).toBe(0);
  });
});

describeEachEngine('login providers in private networks', (engine) => {
  const local = countingServer();
  const site = useTestSite(engine, () => ({
    environment: {
      OPENID_PROVIDERS: JSON.stringify([
        { id: 'office', title: 'The office', issuer: `http://127.0.0.1:${local.port}`, client_id: 'x' },
      ]),
    },
  }));
  const provider = (id: string, issuer: string) => ({ id, title: id, issuer, client_id: 'x' });

  it('cannot be added to a site, nor can an address be changed to such a one', async () => {
    const issuers = [
      '127.0.0.1:8443',
      'localhost',
      '10.1.2.3',
      '[::ffff:127.0.0.1]',
      '0',
      '169.254.169.254',
      'a.localhost',
    ];
    for (const host of issuers) {
      const { status, text } = await site.request('POST', PANEL, { json: provider('inside', `https://${host}`) });
      expect(status, host).toBe(400);
      expect(text).toContain('WEBHOOK_PRIVATE_ADDRESSES');
    }
    expect((await site.request('POST', PANEL, { json: provider('outside', 'https://id.example.org') })).status).toBe(
      201,
    );
    const changed = await site.request('PATCH', `${PANEL}/outside`, { json: { issuer: 'https://192.168.0.1' } });
    expect(changed.status).toBe(400);
  });

  it('are not connected to where a site has one already, unless the settings of the server describe it', async () => {
    await site.kernel.db.query({
      text: `update configuration set data = jsonb_set(data, '{issuer}', to_jsonb($1::text)) where kind = 'login-provider'`,
      values: [`http://localhost:${local.port}`],
    });
    await site.request('PATCH', `${PANEL}/outside`, { json: { title: 'Outside' } });
    const stored = await site.request('GET', '/@login-openid/outside', { as: 'anonymous' });
    expect(stored.status).toBe(503);
    expect(local.connections()).toBe(0);
    expect((await site.request('GET', '/@login-openid/office', { as: 'anonymous' })).status).toBe(503);
    expect(local.connections()).toBeGreaterThan(0);
  });
});
