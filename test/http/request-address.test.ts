import { describe, expect, it } from 'vitest';
import { type RequestAddress, requestAddress } from '../../src/core/http/request-address.ts';
import { BadRequest, NotFound } from '../../src/lib/errors.ts';

const HOST = 'localhost:8080';
const BASE = `http://${HOST}`;

const read = (target: string, from: Partial<Parameters<typeof requestAddress>[1]> = {}): RequestAddress =>
  requestAddress(target, { scheme: 'http', host: HOST, publicUrl: undefined, trusted: true, ...from });

type Expected = Partial<RequestAddress>;
const PLAIN: RequestAddress = { base: BASE, path: '/', service: '', rest: [], api: false, collapsed: undefined };

const UNDERSTOOD: [target: string, expected: Expected][] = [
  // The root, superfluous slashes, and the query, which is no part of the path.
  ['/', {}],
  ['', {}],
  ['///', {}],
  ['/?a=/b/@c', {}],
  ['/news', { path: '/news' }],
  ['/news/', { path: '/news' }],
  ['//news//today///', { path: '/news/today' }],
  ['/news?x=1?y=2', { path: '/news' }],
  // Services and what follows them.
  ['/@search', { service: '@search' }],
  ['/news/@types/Page', { path: '/news', service: '@types', rest: ['Page'] }],
  ['/news/@@images/image/mini', { path: '/news', service: '@@images', rest: ['image', 'mini'] }],
  ['/news/@sharing/', { path: '/news', service: '@sharing' }],
  ['/%40search', { service: '@search' }],
  ['/news/ics_view', { path: '/news', service: 'ics_view' }],
  ['/rss_view', { service: 'rss_view' }],
  ['/news/@a/@b', { path: '/news', service: '@a', rest: ['@b'] }],
  ['/me@home', { path: '/me@home' }],
  // Percent-encoding.
  ['/caf%C3%A9', { path: '/café' }],
  ['/a%20b/c%3Fd%23', { path: '/a b/c?d#' }],
  ['/100%25', { path: '/100%' }],
  ['/%2e%2e.txt', { path: '/...txt' }],
  // ++api++, on its own, in every place, encoded.
  ['/++api++', { api: true }],
  ['/++api++/', { api: true }],
  ['/++api++/news/@actions', { api: true, path: '/news', service: '@actions' }],
  ['/++api++//news', { api: true, path: '/news' }],
  ['/%2B%2Bapi%2B%2B/news', { api: true, path: '/news' }],
  ['/%2b%2bapi%2b%2b/news', { api: true, path: '/news' }],
  ['/news/++api++/today', { api: true, path: '/news/today' }],
  // Repeated ++api++ leads to the same address with one.
  ['/++api++/++api++', { api: true, collapsed: '/++api++' }],
  [
    '/++api++/++api++/++api++/news/@search',
    { api: true, path: '/news', service: '@search', collapsed: '/++api++/news/@search' },
  ],
  ['/++api++/++api++/a%20b', { api: true, path: '/a b', collapsed: '/++api++/a%20b' }],
  ['/++api++/++api++/caf%C3%A9%25', { api: true, path: '/café%', collapsed: '/++api++/caf%C3%A9%25' }],
  // The path prefix of a Plone site is a part of the address of the root.
  ['/Plone', { base: `${BASE}/Plone` }],
  ['/plone/news', { base: `${BASE}/plone`, path: '/news' }],
  ['/Plone/++api++/news', { base: `${BASE}/Plone`, path: '/news', api: true }],
  ['/++api++/Plone/news', { base: `${BASE}/Plone`, path: '/news', api: true }],
  ['/Plone/++api++/++api++/news', { base: `${BASE}/Plone`, path: '/news', api: true, collapsed: '/++api++/news' }],
  ['/Plone/Plone', { base: `${BASE}/Plone`, path: '/Plone' }],
  ['/Plone-archive', { path: '/Plone-archive' }],
  ['/news/Plone', { path: '/news/Plone' }],
  // VirtualHostBase: the address that the client sent to the proxy.
  ['/VirtualHostBase/https/example.com:443/Plone/VirtualHostRoot/news', { base: 'https://example.com', path: '/news' }],
  ['/VirtualHostBase/http/example.com:80/Plone/VirtualHostRoot', { base: 'http://example.com' }],
  ['/VirtualHostBase/http/example.com:8081/VirtualHostRoot/a', { base: 'http://example.com:8081', path: '/a' }],
  ['/VirtualHostBase/https/example.com:80/VirtualHostRoot/a', { base: 'https://example.com:80', path: '/a' }],
  ['/VirtualHostBase/http/[::1]:8080/VirtualHostRoot/a', { base: 'http://[::1]:8080', path: '/a' }],
  ['/VirtualHostBase/https/e.com/Plone/++api++/VirtualHostRoot/a', { base: 'https://e.com', path: '/a', api: true }],
  ['/VirtualHostBase/https/e.com/Plone/VirtualHostRoot/++api++/a', { base: 'https://e.com', path: '/a', api: true }],
  [
    '/VirtualHostBase/https/e.com/Plone/VirtualHostRoot/%2B%2Bapi%2B%2B/a',
    { base: 'https://e.com', path: '/a', api: true },
  ],
  ['/VirtualHostBase/https/e.com/Plone/VirtualHostRoot/_vh_cms/a', { base: 'https://e.com/cms', path: '/a' }],
  ['/VirtualHostBase/https/e.com/VirtualHostRoot/_vh_a/_vh_b%20c/d', { base: 'https://e.com/a/b%20c', path: '/d' }],
  ['/VirtualHostBase/https/e.com/VirtualHostRoot/a/_vh_b', { base: 'https://e.com', path: '/a/_vh_b' }],
  // The path of content in one segment, as programs send it that are generated from the description.
  ['/a%2Fb', { path: '/a/b' }],
  ['/a%2fb%2Fc/@lock', { path: '/a/b/c', service: '@lock' }],
  ['/++api++/a%2Fb', { path: '/a/b', api: true }],
  ['/++api++/++api++/a%2Fb', { path: '/a/b', api: true, collapsed: '/++api++/a/b' }],
  ['/%2Fa%2F%2Fb%2F', { path: '/a/b' }],
  ['/a%2Frobots.txt', { path: '/a/robots.txt' }],
  ['/a%252Fb', { path: '/a%2Fb' }],
  ['/Plone%2Fa', { path: '/Plone/a' }],
  // The absolute form, which a proxy may send.
  ['http://other.example/news/@search?x=http://a', { base: 'http://other.example', path: '/news', service: '@search' }],
  ['http://other.example', { base: 'http://other.example' }],
];

const REFUSED: [target: string, error: typeof BadRequest | typeof NotFound][] = [
  ['/a/../b', NotFound],
  ['/..', NotFound],
  ['/.', NotFound],
  ['/%2e%2e/b', NotFound],
  ['/a%2F@users', NotFound],
  ['/a%2F%40users', NotFound],
  ['/@users%2Fann', NotFound],
  ['/robots.txt%2Fa', NotFound],
  ['/a%2F++api++', NotFound],
  ['/a%2F..%2Fb', NotFound],
  ['/a%2F%2e', NotFound],
  ['/a%2Fb%00', NotFound],
  ['/a%2F%zz', BadRequest],
  ['/@vocabularies/a%2Fb', NotFound],
  ['/a%00b', NotFound],
  ['/a%0d%0aSet-Cookie:x', NotFound],
  ['/a%7F', NotFound],
  ['/@search/%2e%2e', NotFound],
  ['/++api++/news/++api++', NotFound],
  ['/%', BadRequest],
  ['/%zz', BadRequest],
  ['/%C3', BadRequest],
  ['/%C3%28', BadRequest],
  ['/%ED%A0%80', BadRequest],
  ['/VirtualHostBase', BadRequest],
  ['/VirtualHostBase/https/e.com/Plone/news', BadRequest],
  ['/VirtualHostBase/ftp/e.com/VirtualHostRoot', BadRequest],
  ['/VirtualHostBase/javascript:/e.com/VirtualHostRoot', BadRequest],
  ['/VirtualHostBase/http/e.com"onload/VirtualHostRoot', BadRequest],
  ['/VirtualHostBase/http/user@e.com/VirtualHostRoot', BadRequest],
  ['/VirtualHostBase/http/e.com:123456/VirtualHostRoot', BadRequest],
  ['/VirtualHostBase/http/e.com/VirtualHostRoot/_vh_%2F/a', NotFound],
  ['http://user@other.example/news', BadRequest],
];

describe('the address of a request', () => {
  it.each(UNDERSTOOD)('the address %s is parsed', (target, expected) => {
    expect(read(target)).toEqual({ ...PLAIN, ...expected });
  });

  it.each(REFUSED)('the address %s is rejected', (target, error) => {
    expect(() => read(target)).toThrow(error);
  });

  it.each([undefined, '', 'a b', 'e.com/evil', 'e.com\\x', '[::1', 'x'.repeat(300)])(
    'the Host header %s is refused, for it would end up in every link',
    (host) => {
      expect(() => read('/', { host })).toThrow(BadRequest);
    },
  );

  it.each([
    ['http', 'e.com:80', 'http://e.com'],
    ['https', 'e.com:443', 'https://e.com'],
    ['http', 'e.com:443', 'http://e.com:443'],
    ['http', 'e.com:8080', 'http://e.com:8080'],
  ])('the address %s on the host %s has the root %s', (scheme, host, base) => {
    expect(read('/', { scheme, host }).base).toBe(base);
  });

  it.each([
    ['/VirtualHostBase/https/e.com/Plone/++api++/VirtualHostRoot/news', '/VirtualHostBase/https/e.com/Plone'],
    ['/VirtualHostBase/javascript:/e.com', '/VirtualHostBase/javascript:/e.com'],
  ])('without trusted proxies, the address %s is a path like any other', (target, path) => {
    const address = read(target, { trusted: false });
    expect(address.base).toBe(BASE);
    expect(address.path.startsWith(path)).toBe(true);
  });

  it('PUBLIC_URL is the base whatever the Host header and the prefix say', () => {
    const publicUrl = 'https://www.example.com/cms';
    expect(read('/news', { publicUrl, host: 'evil.example' }).base).toBe(publicUrl);
    expect(read('/news', { publicUrl, host: undefined }).base).toBe(publicUrl);
    expect(read('/Plone/++api++/news', { publicUrl })).toMatchObject({ base: publicUrl, path: '/news', api: true });
  });
});
