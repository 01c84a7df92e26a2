import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'canopy', secret: 'a-secret-of-the-client-which-is-long' };

/** Claims of people by their subject, which is what they type as their login at the provider. */
export type People = Record<string, Record<string, unknown>>;

/** A real OpenID provider. `serve` sets the address of its only client, and further settings of the provider. */
export async function startOpenidProvider(people: People) {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    serve(redirectUri: string, afterLogout: string[] = [], more: Record<string, unknown> = {}): void {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [redirectUri],
            post_logout_redirect_uris: afterLogout,
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: {
          openid: ['sub'],
          profile: ['name', 'preferred_username', 'roles', 'groups', 'nick', 'display', 'realm_access'],
          email: ['email', 'email_verified'],
        },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: async () => ({ sub, ...people[sub] }),
        }),
        cookies: { keys: ['a key of the test'] },
        ...more,
      });
      handle = provider.callback();
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser as far as logins need one: it keeps cookies by host and follows redirects until `stop` says otherwise. */
export function createBrowser() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (host: string) => {
    const known = jar.get(host) ?? new Map<string, string>();
    jar.set(host, known);
    return known;
  };
  async function ask(url: string, form?: Record<string, string>) {
    const { host } = new URL(url);
    const cookies = [...cookiesOf(host)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: cookies === '' ? {} : { cookie: cookies },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const equals = pair.indexOf('=');
      cookiesOf(host).set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), to: location && new URL(location, url).href };
  }
  return {
    ask,
    cookies: (url: string) => cookiesOf(new URL(url).host),
    /** Follows redirects from `url`, logs in and consents at the provider, and stops before an address that `stop` takes. */
    async follow(url: string, subject: string, stop: (url: string) => boolean): Promise<string> {
      let next = url;
      for (let step = 0; step < 20; step += 1) {
        if (stop(next)) return next;
        let answer = await ask(next);
        if (answer.to === null && next.includes('/interaction/')) {
          const prompt = answer.text.includes('name="login"') ? 'login' : 'consent';
          answer = await ask(next, { prompt, login: subject, password: 'x' });
        }
        if (!answer.to)
          throw new Error(`The browser is stuck at ${next}: ${answer.status} ${answer.text.slice(0, 500)}`);
        next = answer.to;
      }
      throw new Error('The browser is led in circles');
    },
  };
}
