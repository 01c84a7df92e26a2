import { afterEach, describe, expect, it } from 'vitest';
import { engines } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const [engine = 'pglite'] = engines();
const FORWARDED = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'www.example.com' };
/** The number of wrong passwords after which a login is throttled (`login-throttle`). */
const LIMIT = 10;
const PROXIED = '/VirtualHostBase/https/e.com:443/Plone/++api++/VirtualHostRoot/';

let site: TestSite;

/** A site with this setting TRUST_PROXY; all requests of these tests come from 127.0.0.1. */
async function behind(TRUST_PROXY: string): Promise<void> {
  site = await startTestSite(engine, { environment: { TRUST_PROXY } });
}
afterEach(() => site?.close());

/** The address of the site in its response, or the status when the request is rejected. */
async function baseOf(headers: Record<string, string>): Promise<string | number> {
  const { status, body } = await site.request('GET', '/', { as: 'anonymous', headers });
  return status === 200 ? body['@id'] : status;
}

/** The status of a login with this header X-Forwarded-For. */
async function login(forwardedFor: string, password = 'wrong'): Promise<number> {
  const json = { login: 'admin', password };
  const headers = { 'X-Forwarded-For': forwardedFor };
  return (await site.request('POST', '/@login', { as: 'anonymous', json, headers })).status;
}

/** The status of one login for each chain, after the limit of wrong passwords was used up through the first chain. */
async function afterGuessing(guesser: string, others: string[]): Promise<number[]> {
  for (let attempt = 0; attempt < LIMIT; attempt += 1) expect(await login(guesser)).toBe(401);
  const statuses: number[] = [];
  for (const chain of [guesser, ...others]) statuses.push(await login(chain, site.admin.password));
  return statuses;
}

describe('links', () => {
  it.each(['1', '127.0.0.1', 'loopback', '10.0.0.0/8, 127.0.0.0/8'])(
    'with TRUST_PROXY=%s links begin with the address that the proxy was sent',
    async (setting) => {
      await behind(setting);
      expect(await baseOf(FORWARDED)).toBe('https://www.example.com');
      expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Host': 'www.example.com:8443' })).toBe(
        'https://www.example.com:8443',
      );
      // Volto's server sends the name of the host without its port.
      expect(await baseOf({ 'X-Forwarded-Host': 'localhost' })).toBe(site.url);
      expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Proto': 'HTTPS' })).toBe('https://www.example.com');
      expect(await baseOf({})).toBe(site.url);
    },
  );

  it.each(['1', '127.0.0.1', 'loopback'])(
    'with TRUST_PROXY=%s links begin with the address of VirtualHostBase',
    async (setting) => {
      await behind(setting);
      const { status, body } = await site.request('GET', PROXIED, { as: 'anonymous', headers: FORWARDED });
      expect([status, body['@id']]).toEqual([200, 'https://e.com']);
    },
  );

  it.each(['', '0', '10.0.0.0/8'])('with TRUST_PROXY=%j a proxy at 127.0.0.1 is not trusted', async (setting) => {
    await behind(setting);
    expect(await baseOf(FORWARDED)).toBe(site.url);
    const { status, body } = await site.request('GET', PROXIED, { as: 'anonymous' });
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain('https://e.com');
  });

  it('a malformed forwarded address is a bad request, but not with PUBLIC_URL', async () => {
    await behind('1');
    expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Proto': 'javascript' })).toBe(400);
    expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Host': 'a/b?c' })).toBe(400);
    expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Host': 'a, ' })).toBe(400);
    await site.close();
    site = await startTestSite(engine, { environment: { TRUST_PROXY: '1', PUBLIC_URL: 'https://e.com' } });
    expect(await baseOf({ ...FORWARDED, 'X-Forwarded-Proto': 'javascript' })).toBe('https://e.com');
  });
});

describe('wrong passwords', () => {
  it('wrong passwords count for the client that the proxy names, whatever the client itself says', async () => {
    await behind('127.0.0.1');
    const guesser = '203.0.113.1';
    const disguised = `198.51.100.7, ${guesser}`;
    expect(await afterGuessing(guesser, [disguised, '203.0.113.2'])).toEqual([429, 429, 200]);
  });

  it('wrong passwords count for the client before the given number of proxies', async () => {
    await behind('2');
    const guesser = '203.0.113.1, 10.0.0.9';
    expect(await afterGuessing(guesser, ['203.0.113.1, 10.0.0.8', '203.0.113.2, 10.0.0.9'])).toEqual([429, 429, 200]);
  });

  it('wrong passwords count for the peer of the connection when no proxy is trusted', async () => {
    await behind('');
    expect(await afterGuessing('203.0.113.1', ['203.0.113.2'])).toEqual([429, 429]);
  });
});
