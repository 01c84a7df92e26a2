import { type Kernel, secretBox } from '#core';
import { isJsonObject } from '#lib/json-object';

const COOKIE = 'canopy_openid';
/** Seconds that somebody has to log in at the provider. */
export const LIFETIME_SECONDS = 600;
const PLACE = 'openid:login';

/** A login that has begun: the browser keeps it, encrypted, so that another browser cannot end it. */
export type PendingLogin = {
  /** The id of the provider. */
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  cameFrom: string;
  /** The user who has begun it to link an account with the own one; null for a login. */
  link: string | null;
};

/** The header that gives a login to the browser. `secure` where the site is reached by https. */
export async function pendingCookie(kernel: Kernel, login: PendingLogin, secure: boolean): Promise<string> {
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  const sealed = box.seal(JSON.stringify({ ...login, until: Date.now() + LIFETIME_SECONDS * 1000 }), PLACE);
  return `${COOKIE}=${sealed}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The login that a browser has begun; undefined for none, one that is too old, and one that this site has not made. */
export async function findPending(kernel: Kernel, cookies: string): Promise<PendingLogin | undefined> {
  const sealed = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w.-]+)`).exec(cookies)?.[1];
  if (sealed === undefined) return undefined;
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  let value: unknown;
  try {
    value = JSON.parse(box.open(sealed, PLACE));
  } catch {
    // Whatever is wrong with a cookie, it is no login that has begun here.
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { provider, state, nonce, verifier, cameFrom, link, until } = value;
  if (typeof until !== 'number' || until < Date.now()) return undefined;
  if (typeof state !== 'string' || typeof nonce !== 'string') return undefined;
  if (typeof verifier !== 'string' || typeof cameFrom !== 'string' || typeof provider !== 'string') return undefined;
  return { provider, state, nonce, verifier, cameFrom, link: typeof link === 'string' ? link : null };
}

/** The header that takes a login from the browser once it has come back. */
export const endedCookie = (secure: boolean): string =>
  `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** A path of the front end to go back to; `/` for anything that could lead elsewhere. */
export function safePath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const { origin, pathname, search } = new URL(path, 'http://front.invalid');
  // Dots can make an address of another host of what looked like a path.
  return origin === 'http://front.invalid' && !pathname.startsWith('//') ? pathname + search : '/';
}
