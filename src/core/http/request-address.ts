import { LRUCache } from 'lru-cache';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { ROOT } from '../content/tree-path.ts';
import { isServiceName } from '../services/address-forms.ts';

/** The parts of the address of a request, without the prefixes of proxies and of Plone. */
export type RequestAddress = Readonly<{
  /** Address of the site root for every link of the response: no slash at its end, never `++api++`. */
  base: string;
  /** Path of the content. */
  path: string;
  /** Name of the service: empty for the content itself, else such as `@search`, `@@images`, `ics_view`. */
  service: string;
  /** Segments after the service. */
  rest: readonly string[];
  /** True if the request came through `++api++`. */
  api: boolean;
  /** Path to redirect to when `++api++` is repeated, percent-encoded and relative to the base. */
  collapsed: string | undefined;
}>;

const API = '++api++';
/** First segments that may stand for the site itself. */
const SITE_PREFIXES = new Set(['Plone', 'plone']);
const DEFAULT_PORTS = new Map([
  ['http', ':80'],
  ['https', ':443'],
]);
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** A request target with scheme and host, which proxies may send; its host counts, not the header's (RFC 9112 §3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?]*)/i;

/** `scheme://host`, without the scheme's default port. */
function origin(scheme: string, host: string): string {
  if (!HOST.test(host)) throw new BadRequest('The host of the address is malformed.');
  const port = DEFAULT_PORTS.get(scheme);
  if (port === undefined) throw new BadRequest('The scheme of the address must be http or https.');
  return `${scheme}://${host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}

/** The text of one segment. Throws for segments that cannot name content: broken encoding, separators, control characters, dots. */
function decode(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) throw new BadRequest('The address is not percent-encoded UTF-8.');
    throw error;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[/\u0000-\u001f\u007f]/.test(text) || text === '.' || text === '..') throw new NotFound(`/${text}`);
  return text;
}

/** An encoded slash within a segment. Segments are decoded only once: `%252F` is the text `%2F`. */
const ENCODED_SLASH = /%2f/i;

/**
 * The names of content in a segment with encoded slashes. Programs that are generated from the description send a path as one segment, its slashes
 * encoded. Such a segment has names of content alone: a service is named by a segment of its own, so that a rule of a proxy for `/@users`
 * cannot be passed by `/a%2F@users`.
 */
function decodePath(segment: string, isFirst: boolean): string[] {
  const names = segment
    .split(ENCODED_SLASH)
    .filter((part) => part !== '')
    .map(decode);
  if (names.some((name, i) => name === API || isServiceName(name, isFirst && i === 0)))
    throw new NotFound(`/${names.join('/')}`);
  return names;
}

/** The names of an address: names of content, then one name for each segment from the service on. */
function namesOf(segments: readonly string[]): { names: string[]; at: number } {
  const names: string[] = [];
  for (const [i, segment] of segments.entries()) {
    const isFirst = names.length === 0;
    if (ENCODED_SLASH.test(segment)) names.push(...decodePath(segment, isFirst));
    else {
      const name = decode(segment);
      if (isServiceName(name, isFirst))
        return { names: [...names, name, ...segments.slice(i + 1).map(decode)], at: names.length };
      names.push(name);
    }
  }
  return { names, at: -1 };
}

/** A segment as it stands in an address; the names of services keep their `@`. */
const encode = (name: string): string => encodeURIComponent(name).replaceAll('%40', '@');

type Prefixed = { base: string; segments: string[] };

/** `VirtualHostBase/<scheme>/<host>/<site…>/VirtualHostRoot/_vh_a/<rest>`: the address that a proxy was asked for. */
function virtualHost(segments: string[]): Prefixed {
  const [, scheme = '', host = '', ...behind] = segments;
  const root = behind.indexOf('VirtualHostRoot');
  if (scheme !== 'http' && scheme !== 'https')
    throw new BadRequest('VirtualHostBase must be followed by http or https.');
  if (root === -1) throw new BadRequest('VirtualHostBase without VirtualHostRoot.');
  let base = origin(scheme, host);
  const site = behind.slice(0, root).filter((segment) => !SITE_PREFIXES.has(segment));
  const rest = behind.slice(root + 1);
  while (rest[0]?.startsWith('_vh_'))
    base += `/${encodeURIComponent(decode(rest.shift()?.slice('_vh_'.length) ?? ''))}`;
  return { base, segments: [...site, ...rest] };
}

/** A request straight to this server: the site may stand behind a prefix, which then belongs to its address. */
function direct(segments: string[], scheme: string, host: string | undefined, publicUrl: string | undefined): Prefixed {
  const base = publicUrl ?? origin(scheme.toLowerCase(), host ?? '');
  const api = segments.findIndex((segment) => segment !== API);
  const prefix = segments[api === -1 ? segments.length : api];
  if (prefix === undefined || !SITE_PREFIXES.has(prefix)) return { base, segments };
  return { base: publicUrl === undefined ? `${base}/${prefix}` : base, segments: segments.filter((_, i) => i !== api) };
}

/** The facts that an address depends on beside the target of the request. */
type From = { scheme: string; host: string | undefined; publicUrl: string | undefined; trusted: boolean };

function takeApart(target: string, from: From): RequestAddress {
  const absolute = ABSOLUTE.exec(target);
  const raw = target
    .slice(absolute?.[0].length ?? 0)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment.toLowerCase() === '%2b%2bapi%2b%2b' ? API : segment));
  const { base, segments } =
    from.trusted && raw[0] === 'VirtualHostBase'
      ? virtualHost(raw)
      : direct(raw, from.scheme, absolute?.[1] ?? from.host, from.publicUrl);
  const first = segments.indexOf(API);
  let last = first;
  while (segments[last + 1] === API) last += 1;
  const content = first === -1 ? segments : [...segments.slice(0, first), ...segments.slice(last + 1)];
  if (content.includes(API)) throw new NotFound(`/${content.join('/')}`);
  const { names, at } = namesOf(content);
  const path = names.slice(0, at === -1 ? names.length : at);
  return {
    base,
    path: path.length === 0 ? ROOT : `/${path.join('/')}`,
    service: at === -1 ? '' : (names[at] ?? ''),
    rest: at === -1 ? [] : names.slice(at + 1),
    api: first !== -1,
    collapsed: last > first ? `/${[API, ...names.map(encode)].join('/')}` : undefined,
  };
}

/** Addresses that were taken apart: most requests ask for an address that others have asked for. */
const known = new LRUCache<string, RequestAddress>({ max: 1000 });
/** Longer addresses are not kept. */
const MAX_KNOWN_LENGTH = 500;

/**
 * Takes an address apart (Volto's contract, section 1): `VirtualHostBase`, the site prefix, `++api++`, empty segments, then content, service and
 * the rest. The path of content may come as one segment whose slashes are encoded. `target` is the request target, with or without its query.
 * `VirtualHostBase` is an instruction of a proxy: unless the sender is `trusted`, it is a name like any other.
 * Throws BadRequest for a malformed address and NotFound for one that nothing can have.
 */
export function requestAddress(target: string, from: From): RequestAddress {
  const mark = target.indexOf('?');
  const asked = mark === -1 ? target : target.slice(0, mark);
  const { scheme, host = '', publicUrl = '', trusted } = from;
  const key = `${trusted}\n${publicUrl}\n${scheme}\n${host}\n${asked}`;
  let address = known.get(key);
  if (address === undefined) {
    address = takeApart(asked, from);
    if (key.length <= MAX_KNOWN_LENGTH) known.set(key, address);
  }
  return address;
}
