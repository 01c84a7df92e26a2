import { type Kernel, secretBox } from '#core';
import { isJsonObject } from '#lib/json-object';

const COOKIE = 'canopy_openid';
/** Seconds within which a user has to log in at the provider. */
export const LIFETIME_SECONDS = 600;
const PLACE = 'openid:login';

/** A login that has begun: the browser stores it, encrypted, so that another browser cannot complete it. */
export type PendingLogin = {
  /** The id of the provider. */
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  cameFrom: string;
  /** The user who links an account with their own; null for a login. */
  link: string | null;
};

/** The header that stores a login in the browser; `secure` for sites with https. */
export async function pendingCookie(kernel: Kernel, login: PendingLogin, secure: boolean): Promise<string> {
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  const sealed = box.seal(JSON.stringify({ ...login, until: Date.now() + LIFETIME_SECONDS * 1000 }), PLACE);
  return `${COOKIE}=${sealed}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The login that a browser has begun; undefined without one, and for a login that is too old or of another site. */
export async function findPending(kernel: Kernel, cookies: string): Promise<PendingLogin | undefined> {
  const sealed = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w.-]+)`).exec(cookies)?.[1];
  if (sealed === undefined) return undefined;
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  let value: unknown;
  try {
    value = JSON.parse(box.open(sealed, PLACE));
  } catch {
    // An invalid cookie counts as no login.
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { provider, state, nonce, verifier, cameFrom, link, until } = value;
  if (typeof until !== 'number' || until < Date.now()) return undefined;
  if (typeof state !== 'string' || typeof nonce !== 'string') return undefined;
  if (typeof verifier !== 'string' || typeof cameFrom !== 'string' || typeof provider !== 'string') return undefined;
  return { provider, state, nonce, verifier, cameFrom, link: typeof link === 'string' ? link : null };
}

/** The header that removes a login from the browser once it has returned. */
export const endedCookie = (secure: boolean): string =>
  `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** A path of the front end to go back to; `/` for anything that could lead elsewhere. */
export function safePath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const { origin, pathname, search } = new URL(path, 'http://front.invalid');
  // Dots can turn a path into an address of another host.
  return origin === 'http://front.invalid' && !pathname.startsWith('//') ? pathname + search : '/';
}
