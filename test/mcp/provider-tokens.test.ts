import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent } from './agent.ts';

const RESOURCE = 'https://town.example/@mcp';

describeQuickestEngine('access tokens of a provider', (engine) => {
  const keys = generateKeyPair('ES256');
  const strange = generateKeyPair('ES256');
  let issuer = '';
  const server = createServer(async (request, response) => {
    const jwk = { ...(await exportJWK((await keys).publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    const endpoint = (name: string) => `${issuer}/${name}`;
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify(
        request.url === '/keys'
          ? { keys: [jwk] }
          : {
              ...{ issuer, jwks_uri: endpoint('keys'), authorization_endpoint: endpoint('auth') },
              ...{ token_endpoint: endpoint('token'), response_types_supported: ['code'] },
            },
      ),
    );
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  const site = useTestSite(engine, () => ({
    profile: 'default',
    environment: {
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: 'canopy',
      OPENID_CLIENT_SECRET: 'a-long-secret-of-the-client',
    },
  }));
  const { addUser } = peopleOf(site);
  const sign = async (claims: object = {}, { key = keys, expires = '5m' } = {}) =>
    new SignJWT({ scope: 'read propose', client_id: 'claude', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setSubject('subject-1')
      .setAudience(RESOURCE)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign((await key).privateKey);
  const list = (token: string | undefined, path = '/@mcp') =>
    fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  let user: string;
  beforeAll(async () => {
    user = await addUser(['Editor', 'Contributor', 'Member']);
    await site.kernel.db.query({
      text: `insert into provider_account (issuer, subject, account, roles, groups) values ($1, 'subject-1', $2, '{}', '{}')`,
      values: [issuer, user],
    });
  });

  it('Without an address of the endpoint no token of a provider is good for it.', async () => {
    expect((await fetch(`${site.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
    expect((await list(await sign())).status).toBe(401);
  });

  it('Agents find the provider, and come with its tokens.', async () => {
    await site.request('PATCH', '/@controlpanels/mcp', { json: { resource: RESOURCE } });
    const refused = await list(undefined, '/@mcp/login');
    const description = `${site.url}/.well-known/oauth-protected-resource`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="Canopy", scope="read propose", resource_metadata="${description}"`,
    ]);
    for (const url of [description, `${description}/@mcp`])
      expect(await (await fetch(url)).json()).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [issuer],
        scopes_supported: ['read', 'propose'],
      });
    const agent = await Agent.connect(site, await sign(), '2026-07-28', '/@mcp/login');
    expect(await agent.json('explain_access', { path: '/' })).toMatchObject({ user, scopes: ['read', 'propose'] });
    await agent.close();
  });

  it('Scopes of the token are those of the agent, on the whole API.', async () => {
    const statusOf = async (claims: object, method: string) =>
      (
        await site.request(method, '/', {
          as: { token: await sign(claims) },
          ...(method === 'POST' ? { json: { '@type': 'Page', title: 'By an agent' } } : {}),
        })
      ).status;
    expect(await statusOf({ scope: 'openid read' }, 'GET')).toBe(200);
    expect(await statusOf({ scope: 'openid read' }, 'POST')).toBe(403);
    expect(await statusOf({ scope: 'openid' }, 'GET')).toBe(403);
    expect(await statusOf({ scope: undefined, scp: ['write'] }, 'POST')).toBe(201);
    const { items } = (await site.request('GET', `/@audit-log?user=${user}&action=content`)).body;
    expect(items[0].details.by).toBe('agent claude');
  });

  it('Tokens for others, of others, of nobody and of yesterday are wrong.', async () => {
    for (const token of [
      await sign({}, { key: strange }),
      await sign({}, { expires: '-1m' }),
      await new SignJWT({ scope: 'read' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setSubject('subject-1')
        .setAudience('canopy')
        .setExpirationTime('5m')
        .sign((await keys).privateKey),
      await new SignJWT({ scope: 'read' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setSubject('nobody')
        .setAudience(RESOURCE)
        .setExpirationTime('5m')
        .sign((await keys).privateKey),
      await new SignJWT({ scope: 'read' })
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setIssuer(issuer)
        .setSubject('subject-1')
        .setAudience(RESOURCE)
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode('a-long-secret-of-the-client-and-more')),
      'a.b.c',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: issuer, sub: 'subject-1', aud: RESOURCE })).toString('base64url')}.x`,
    ]) {
      const { status, headers } = await list(token);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token", resource_metadata=');
    }
  });
});
