import { isIPv6 } from 'node:net';

/** The parts of a request that can have credentials. */
export type CredentialHeaders = {
  method: string;
  authorization?: string | undefined;
  cookie?: string | undefined;
};

/** Credentials that a request contains, unchecked. */
export type Credentials = { kind: 'basic'; login: string; password: string } | { kind: 'token'; token: string };

/** The cookie in which Volto stores the token. */
const TOKEN_COOKIE = 'auth_token';
/** The cookie of the pages for browsers, which no script can read. */
export const SESSION_COOKIE = 'canopy_session';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The credentials of a request: `Authorization: Basic` (RFC 7617, in UTF-8) or `Bearer`. For GET and HEAD also the cookies `auth_token`, in which
 * Volto stores the token, for images and downloads that the browser requests by itself, and `canopy_session`, of the pages. Other methods never use
 * cookies, because a browser sends them also with requests that a foreign page causes. Null for missing or malformed credentials, which make the
 * request anonymous.
 */
export function parseCredentials({ method, authorization, cookie }: CredentialHeaders): Credentials | null {
  if (authorization !== undefined) return parseAuthorization(authorization);
  if (cookie === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
  return parseTokenCookie(cookie, TOKEN_COOKIE) ?? parseTokenCookie(cookie, SESSION_COOKIE);
}

function parseAuthorization(header: string): Credentials | null {
  const space = header.indexOf(' ');
  if (space < 0) return null;
  const [scheme, value] = [header.slice(0, space).toLowerCase(), header.slice(space + 1).trim()];
  if (value === '') return null;
  if (scheme === 'bearer') return { kind: 'token', token: value };
  return scheme === 'basic' ? parseBasic(value) : null;
}

function parseBasic(value: string): Credentials | null {
  if (!BASE64.test(value)) return null;
  let pair: string;
  try {
    pair = utf8.decode(Buffer.from(value, 'base64'));
  } catch {
    // Text that is not UTF-8 is no login.
    return null;
  }
  // The password may contain colons, the login may not.
  const colon = pair.indexOf(':');
  return colon > 0 ? { kind: 'basic', login: pair.slice(0, colon), password: pair.slice(colon + 1) } : null;
}

function parseTokenCookie(header: string, name: string): Credentials | null {
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    const value = part.slice(equals + 1).trim();
    const token = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
    return token === '' ? null : { kind: 'token', token };
  }
  return null;
}

const MAX_LENGTH = 64;

/** Forms of addresses to which proxies add a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/**
 * The address by which login failures are counted, without a port. Of IPv6 only the first 64 bits, because one subscriber has all addresses below
 * them. IPv4 inside IPv6 counts as IPv4. A text that is no address is only cut.
 */
export function clientNetwork(address: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? dotted ?? address).toLowerCase().split('%');
  // Most addresses are IPv4, and the first question about IPv6 builds a large pattern.
  if (!bare.includes(':') || !isIPv6(bare)) return bare.replaceAll('\0', '').slice(0, MAX_LENGTH);
  const mapped = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : '';
  if (mapped.includes('.')) return mapped;
  const [head = '', tail] = bare.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const last = after.at(-1);
  // A dotted end stands for two of the eight groups.
  const written = before.length + after.length + (last?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - written;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
