import type { Readable } from 'node:stream';
import { Slot } from '../../lib/slots.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ServiceResponse } from '../services/response.ts';
import { header, isReading, type WireRequest } from './wire-request.ts';

/** The parts of a request that pages change when they ask the API. */
type Asked = { method: string; target: string; headers: WireRequest['headers']; body: Readable };

/** Sends a request to the API, as if it had come over the wire. Errors are responses as well. */
export type AskApi = (asked: Partial<Asked>) => Promise<ServiceResponse>;

/** The feature that responds to browsers with pages. */
export type Pages = { respond(request: WireRequest, ask: AskApi): Promise<ServiceResponse> };

/** Filled by the feature that makes pages; empty where it is switched off. */
export const PAGES = new Slot<Pages>('pages');

/** Media ranges of an `Accept` header that are looked at. */
const MAX_RANGES = 50;

/** The quality of a media range by its parameters (RFC 9110, 12.4.2); 1 without one, 0 for a malformed one. */
function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice('q='.length)) : 0;
}

/**
 * Says if an `Accept` header names HTML, and prefers it to JSON. Wildcards do not count: programs send them. Where both are equally
 * welcome, the client gets JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  // Nearly all requests end here: programs do not name HTML.
  if (accept === undefined || !/\bhtml\b/i.test(accept)) return false;
  let html = 0;
  let json = 0;
  for (const range of accept.split(',', MAX_RANGES)) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name === 'text/html' || name === 'application/xhtml+xml') html = Math.max(html, qualityOf(parameters));
    else if (/^application\/(?:[\w.+-]{1,100}\+)?json$/.test(name)) json = Math.max(json, qualityOf(parameters));
  }
  return html > json;
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Says if a page responds to a request: one that reads, or a form. Both come from a client that prefers HTML. */
const wantsPage = (request: WireRequest): boolean =>
  prefersHtml(header(request, 'accept')) &&
  (isReading(request) || (request.method === 'POST' && FORM.test(header(request, 'content-type') ?? '')));

/** The pages that respond to a request; undefined where the API does. */
export const pagesFor = ({ slots }: Pick<Kernel, 'slots'>, request: WireRequest): Pages | undefined =>
  wantsPage(request) ? slots.find(PAGES) : undefined;

/**
 * The response of the API at an address that has pages as well, for caches outside that may keep it: they must not send it to browsers.
 * Other responses stay as they are.
 */
export function withAcceptVary({ slots }: Pick<Kernel, 'slots'>, response: ServiceResponse): ServiceResponse {
  const { headers = {}, body, contentType } = response;
  const isJson = contentType === undefined ? body !== undefined : contentType.startsWith('application/json');
  if (!slots.find(PAGES) || !isJson || !/(?:max-age|s-maxage)=[1-9]/.test(String(headers['Cache-Control'] ?? '')))
    return response;
  return { ...response, headers: { ...headers, Vary: ['Accept', headers.Vary ?? []].flat().join(', ') } };
}
