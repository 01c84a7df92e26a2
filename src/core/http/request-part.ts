import { Readable } from 'node:stream';
import type { ServiceResponse } from '../services/response.ts';
import type { RequestContext, RequestPart } from '../services/service.ts';
import type { RequestInWork } from './request-layers.ts';
import type { WireRequest } from './wire-request.ts';

/** A request that another one makes, as it would have come over the wire: with its sender, but without its credentials. */
export function wireRequestOf(
  { request }: { request: Pick<WireRequest, 'headers'> },
  { method, target, headers, body }: RequestPart,
): Pick<WireRequest, 'method' | 'target' | 'headers' | 'body'> {
  const { 'accept-language': language } = request.headers;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return {
    method,
    target,
    headers: {
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...headers,
      accept: 'application/json',
      ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    },
    body: Readable.from(bytes ? [bytes] : []),
  };
}

/**
 * The prefixes of proxies and of Plone in the address of a request to a service of the site root. With the same prefixes, responses to other requests
 * have links of the same form.
 */
function prefixOf({ request, address }: Pick<RequestInWork, 'request' | 'address'>): string {
  const [path = ''] = request.target.split('?', 1);
  const segments = path.split('/').filter((segment) => segment !== '');
  const prefix = segments.slice(0, segments.length - 1 - address.rest.length);
  return prefix.map((segment) => `/${segment}`).join('');
}

/**
 * Returns the function by which a service sends requests to the site, with the credentials in the headers of the request in work. Cookies are left
 * out: they are no credentials for a write, and must not become credentials of a request that a write sends. The request gives up its places first.
 */
export function askFor(
  work: RequestInWork,
  { auth }: Pick<RequestContext, 'auth'>,
): (part: RequestPart) => Promise<ServiceResponse> {
  const { request, places } = work;
  const prefix = prefixOf(work);
  const credentials = ['authorization', ...auth.authenticatingHeaders].flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return (part) => {
    places.leave();
    const { headers, ...asked } = wireRequestOf(work, { ...part, target: prefix + part.target });
    return request.ask({ ...asked, headers: { ...headers, ...Object.fromEntries(credentials) } });
  };
}
