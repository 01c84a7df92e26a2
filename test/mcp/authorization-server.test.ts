import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { CLIENT, createBrowser, startOpenidProvider } from '../support/openid-provider.ts';
import { useTestSite } from '../support/use-site.ts';

const BACK = 'http://127.0.0.1:1/callback';
type Options = NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>;
type AuthProvider = Exclude<Options['authProvider'], undefined>;

describeQuickestEngine('a real provider as authorization server of agents', (engine) => {
  let provider: Awaited<ReturnType<typeof startOpenidProvider>>;
  /** The scopes that the provider gives to agents. */
  let given = 'read propose';
  beforeAll(async () => {
    provider = await startOpenidProvider({ ann: { name: 'Ann' } });
  });
  afterAll(() => provider?.close());
  const site = useTestSite(engine, () => ({
    profile: 'default',
    environment: {
      ...{ OPENID_ISSUER: provider.issuer, OPENID_CLIENT_ID: CLIENT.id },
      OPENID_CLIENT_SECRET: CLIENT.secret,
    },
  }));
  const { addUser } = peopleOf(site);

  let user: string;
  beforeAll(async () => {
    user = await addUser(['Editor', 'Contributor', 'Member']);
    await site.request('PATCH', '/@controlpanels/mcp', { json: { resource: `${site.url}/@mcp` } });
    await site.kernel.db.query({
      text: `insert into provider_account (issuer, subject, account, roles, groups) values ($1, 'ann', $2, '{}', '{}')`,
      values: [provider.issuer, user],
    });
    provider.serve(`${site.url}/@login-openid/default/callback`, [], {
      scopes: ['openid', 'offline_access', 'read', 'propose'],
      features: {
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context: unknown, resource: string) => ({
            ...{ scope: given, audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 300 },
          }),
        },
      },
    });
  });

  /** Logs in by the way of the protocol's own client: it finds the server, registers, and sends the person there. */
  async function login(): Promise<Client> {
    const kept = new Map<string, unknown>();
    let sentTo = '';
    const authProvider = {
      redirectUrl: BACK,
      clientMetadata: {
        ...{ client_name: 'Agent', redirect_uris: [BACK], application_type: 'native' },
        ...{ grant_types: ['authorization_code'], response_types: ['code'], token_endpoint_auth_method: 'none' },
      },
      clientInformation: () => kept.get('client'),
      saveClientInformation: (client: unknown) => void kept.set('client', client),
      tokens: () => kept.get('tokens'),
      saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
      redirectToAuthorization: (url: URL) => {
        sentTo = url.href;
      },
      saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
      codeVerifier: () => String(kept.get('verifier')),
    } as unknown as AuthProvider;
    const transport = () => new StreamableHTTPClientTransport(new URL('/@mcp/login', site.url), { authProvider });
    const client = () =>
      new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const first = transport();
    const refused: unknown = await client()
      .connect(first)
      .catch((error: unknown) => error);
    expect(String(refused)).toMatch(/^UnauthorizedError|^Unauthorized/);
    const back = await createBrowser().follow(sentTo, 'ann', (url) => url.startsWith(BACK));
    await first.finishAuth(new URL(back).searchParams);
    const known = client();
    await known.connect(transport());
    return known;
  }

  const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>) => JSON.stringify(content);

  it('an agent finds it, logs a person in, and has the scopes that it gives', async () => {
    const client = await login();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['read', 'propose']));
    expect(names).not.toContain('write');
    const access = await client.callTool({ name: 'explain_access', arguments: { path: '/' } });
    expect(textOf(access)).toContain(user);
    const changes = [{ action: 'new', path: '/', type: 'Page', fields: { title: 'By an agent' } }];
    const proposed = await client.callTool({ name: 'propose', arguments: { title: 'A page', changes } });
    expect(textOf(proposed)).toContain('pending');
    const { items } = (await site.request('GET', `/@audit-log?user=${user}&action=proposal`)).body;
    expect(items[0].details.by).toMatch(/^agent /);
    await client.close();
  });

  it('an agent with reading alone proposes nothing', async () => {
    given = 'read';
    const client = await login();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('read');
    expect(names).not.toContain('propose');
    await client.close();
    given = 'read propose';
  });
});
