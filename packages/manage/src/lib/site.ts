/** The site behind the page: its address, the session of the user, and the client that all requests go through. */

import { type AnySite, type Client, createClient, UnauthorizedError } from '@canopy-server/client';
import { language } from './say.ts';
import { createStore } from './store.ts';

/** The path of the site root: what stands before the page in its own address. */
const MOUNT = location.pathname.slice(0, Math.max(0, location.pathname.indexOf('/@manage')));
export const SITE_PATH = MOUNT.replace(/\/\+\+api\+\+$/, '');
/** The path of the page. */
export const PAGE_PATH = `${MOUNT}/@manage`;

/** The cookie that Volto and logins with providers use as well: one session in a browser. */
const COOKIE = 'auth_token';

const storedToken = (): string | undefined =>
  new RegExp(`(?:^|; )${COOKIE}="?([^;"]+)`).exec(document.cookie)?.[1] || undefined;

function storeToken(token: string | undefined): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface does not exist on addresses without HTTPS
  document.cookie = `${COOKIE}=${token ?? ''}; Path=/; SameSite=Lax${secure}${token === undefined ? '; Max-Age=0' : ''}`;
  signedIn.set(token !== undefined);
}

/** True while the page has a token. */
export const signedIn = createStore(storedToken() !== undefined);
/** True after the site has not taken the token any more. */
export const sessionEnded = createStore(false);

/** Cookies do not count: a request is that of the token of the page, or that of a visitor. */
const withoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

const connect = (): Client =>
  createClient<AnySite>(`${location.origin}${SITE_PATH}/++api++`, {
    token: storedToken(),
    onToken: storeToken,
    language: language.get(),
    retry: { attempts: 2, maxDelayMs: 3000 },
    fetch: withoutCookies,
  });

let client = connect();
language.subscribe(() => {
  client = connect();
});

/** The client of the site, in the language of the page. */
export const site = (): Client => client;

/** Sends a request to a service of the site. */
export const ask = <Result>(
  method: string,
  service: string,
  options: Parameters<Client['request']>[2] = {},
): Promise<Result> => client.request<Result>(method, service, options);

/** Logs in. Throws the errors of the client; one with the type of the second factor where a code is needed. */
export async function logIn(body: { login: string; password: string; otp?: string }): Promise<void> {
  const { token } = await ask<{ token: string }>('POST', '@login', { body });
  storeToken(token);
  client = connect();
  sessionEnded.set(false);
}

/** Ends the session, also where the site cannot be reached. */
export async function logOut(): Promise<void> {
  try {
    await client.logout();
  } finally {
    forgetSession();
  }
}

function forgetSession(): void {
  storeToken(undefined);
  client = connect();
}

/** Sees an error of a request: with a token that does not count any more the user has to log in again. */
export function noteError(error: unknown): void {
  if (!(error instanceof UnauthorizedError) || !signedIn.get()) return;
  forgetSession();
  sessionEnded.set(true);
}

/** The id of the user by the token. */
export function ownId(): string | undefined {
  const payload = client.token?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return claims !== null && typeof claims === 'object' && 'sub' in claims ? String(claims.sub) : undefined;
  } catch {
    return undefined;
  }
}

/** The path of an address of the site, decoded as searches have it. */
export function pathOf(address: string): string {
  const path = client.pathOf(address) ?? new URL(address, location.href).pathname;
  return decodeURIComponent(path) || '/';
}

/** The address of content for browsers. */
export const publicAddress = (path: string): string =>
  `${SITE_PATH}${path === '/' ? '/' : path.split('/').map(encodeURIComponent).join('/')}`;

/** An address of the site as this browser reaches it. Others, such as those of pictures in memory, stay. */
export function localAddress(address: string): string {
  const path = /^https?:/.test(address) ? client.pathOf(address) : undefined;
  return path === undefined ? address : `${SITE_PATH}${path}`;
}
