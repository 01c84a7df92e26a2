/** A visit of a browser to one address: the request, and functions that send requests to the API in its name. */

import { Readable } from 'node:stream';
import { type Kernel, type negotiation, requests, type ServiceResponse } from '#core';
import { ClientError } from '#lib/errors';
import { TOKEN_PARAMETER } from '../preview-links/authenticate.ts';
import { TOKEN_PREFIX } from '../releases/preview.ts';
import { languageCookie } from './cookies.ts';

/** A response of the API. `json` is its body; undefined for other media types. */
export type ApiResponse = ServiceResponse & { json: unknown };

export type Visit = {
  kernel: Kernel;
  request: negotiation.Request;
  /** The address, or that of the site root if the address is malformed. */
  address: negotiation.Address;
  query: URLSearchParams;
  /** The token of the release that the page shows, which links of the page keep; undefined for the present site. */
  preview: string | undefined;
  /** The language that the reader has chosen, else those of the browser, as in `Accept-Language`. */
  acceptLanguage: string | undefined;
  /** Sends a reading request for JSON to a path with its query. */
  get(target: string): Promise<ApiResponse>;
  /** Sends the original request. Its response may be a file. */
  passOn(): Promise<ApiResponse>;
  /** Sends JSON with POST, in the name of the user of a token. */
  post(target: string, json: object, token?: string): Promise<ApiResponse>;
};

/** Headers about the browser's copy of the page; they do not apply to the JSON that the page is made of. */
const OF_THE_PAGE = new Set([
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
  'range',
  'if-range',
]);

/** The headers of a request to the API for the data of a page. */
const innerHeaders = (
  { headers }: negotiation.Request,
  acceptLanguage: string | undefined,
): negotiation.Request['headers'] => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_PAGE.has(name))),
  accept: 'application/json',
  ...(acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage }),
});

/** The JSON of a response; undefined for an empty response and for other media types. */
function jsonOf({ body, bytes, contentType }: ServiceResponse): unknown {
  if (body !== undefined) return body;
  return bytes !== undefined && contentType?.startsWith('application/json') ? JSON.parse(bytes.toString()) : undefined;
}

const parsed = (response: ServiceResponse): ApiResponse => ({ ...response, json: jsonOf(response) });

/** The address of a request. A malformed address gets its error from the API, which gets the same request. */
function addressOf({ config }: Kernel, request: negotiation.Request): negotiation.Address {
  const from = { scheme: request.scheme, host: request.host, publicUrl: config.publicUrl };
  try {
    return requests.addressOf(request.target, { ...from, trusted: request.fromTrustedProxy });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { base: '', path: '/', service: '', rest: [], api: false, collapsed: undefined };
  }
}

/** Describes the visit of a request. `ask` sends requests to the API. */
export function visitOf(kernel: Kernel, request: negotiation.Request, ask: negotiation.AskApi): Visit {
  const acceptLanguage = languageCookie(request) ?? request.headers['accept-language']?.toString();
  const headers = innerHeaders(request, acceptLanguage);
  const nothing = Readable.from([]);
  const address = addressOf(kernel, request);
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const token = query.get(TOKEN_PARAMETER);
  return {
    kernel,
    request,
    address,
    query,
    preview: token?.startsWith(TOKEN_PREFIX) ? token : undefined,
    acceptLanguage,
    get: async (target) => parsed(await ask({ method: 'GET', target, headers, body: nothing })),
    passOn: async () => parsed(await ask({})),
    async post(target, json, token) {
      const bytes = Buffer.from(JSON.stringify(json));
      const { cookie: _cookie, authorization: _authorization, ...others } = headers;
      const own = {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      return parsed(
        await ask({ method: 'POST', target, headers: { ...others, ...own }, body: Readable.from([bytes]) }),
      );
    },
  };
}

/** A path with the token of the release that a page shows. */
export function withToken({ preview }: Visit, path: string): string {
  if (preview === undefined) return path;
  const [address = '', ...fragment] = path.split('#');
  const [before = '', ...query] = address.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set(TOKEN_PARAMETER, preview);
  return [`${before}?${parameters}`, ...fragment].join('#');
}

/**
 * The path of an address of the site, as the browser reaches the site, with the token of the release that the page shows; other addresses stay
 * unchanged.
 */
export function localUrl(visit: Visit, url: string): string {
  const path = plainUrl(visit, url);
  return path === url ? url : withToken(visit, path);
}

/** The path of an address of the site, as the browser reaches the site; other addresses stay unchanged. */
function plainUrl({ address: { base }, request, kernel }: Visit, url: string): string {
  if (url !== base && !url.startsWith(`${base}/`) && !url.startsWith(`${base}?`)) return url;
  const { host, pathname } = new URL(base);
  const rest = url.slice(base.length);
  // A browser that reaches the server by another address than the public one stays at that address.
  const isBeside = host !== request.host && kernel.config.publicUrl !== undefined;
  if (host !== request.host && !isBeside) return url;
  const path = (isBeside ? '' : pathname.replace(/\/$/, '')) + rest;
  return path.startsWith('/') ? path : `/${path}`;
}

/** The path of the content of a visit, encoded for addresses. */
export const contentPath = ({ address: { path } }: Visit): string =>
  path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/');

/** A link to a path of the site. */
export const pathUrl = (visit: Visit, path: string): string => localUrl(visit, visit.address.base + path);

/** A link to a path of the server itself, which is the same in each preview. */
export const serverUrl = (visit: Visit, path: string): string => plainUrl(visit, visit.address.base + path);
