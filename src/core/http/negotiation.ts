import { type MediaRange, namedQuality, parseAccept } from '../../lib/http/accept.ts';
import { Slot } from '../../lib/slots.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ServiceResponse } from '../services/response.ts';
import { type AskApi, header, isReading, type WireRequest } from './wire-request.ts';

/** A feature that responds in another form than JSON. It makes each response from responses of the API, which it asks in the name of the request. */
export type Maker = { respond(request: WireRequest, ask: AskApi): Promise<ServiceResponse> };

/** Filled by the feature that responds to browsers with pages; empty where it is switched off. */
export const PAGES = new Slot<Maker>('pages');

/** Filled by the feature that responds with Markdown. */
export const MARKDOWN = new Slot<Maker>('Markdown');

/** The qualities of the forms of responses that an `Accept` header names. */
type Wanted = { json: number; html: number; markdown: number };

const JSON_TYPE = /^application\/(?:[\w.+-]{1,100}\+)?json$/;

function wantedIn(ranges: readonly MediaRange[]): Wanted {
  return {
    json: namedQuality(ranges, (name) => JSON_TYPE.test(name)),
    html: namedQuality(ranges, (name) => name === 'text/html' || name === 'application/xhtml+xml'),
    markdown: namedQuality(ranges, (name) => name === 'text/markdown'),
  };
}

/**
 * The form that an `Accept` header names and prefers to JSON. Wildcards do not count, because programs send them. If JSON is equally welcome, the
 * client gets JSON. Programs that read Markdown also name HTML, for other sites; they get Markdown.
 */
export function preferredForm(accept: string | undefined): 'html' | 'markdown' | undefined {
  // Nearly all requests end here: programs name neither HTML nor Markdown.
  if (accept === undefined || !/\b(?:html|markdown)\b/i.test(accept)) return undefined;
  const { json, html, markdown } = wantedIn(parseAccept(accept));
  if (markdown > json && markdown >= html) return 'markdown';
  return html > json ? 'html' : undefined;
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The maker of the response to a request; undefined if the API itself responds. The API responds to all writes except the forms of pages. */
export function makerFor({ slots }: Pick<Kernel, 'slots'>, request: WireRequest): Maker | undefined {
  const preferred = preferredForm(header(request, 'accept'));
  if (preferred === undefined) return undefined;
  if (isReading(request)) return slots.find(preferred === 'html' ? PAGES : MARKDOWN);
  const isForm = request.method === 'POST' && FORM.test(header(request, 'content-type') ?? '');
  return preferred === 'html' && isForm ? slots.find(PAGES) : undefined;
}

/**
 * The response of the API at an address that has other forms as well, for caches outside that may keep it: they must not send it to
 * clients that want another form. Other responses stay as they are.
 */
export function withAcceptVary({ slots }: Pick<Kernel, 'slots'>, response: ServiceResponse): ServiceResponse {
  const { headers = {}, body, contentType } = response;
  const isJson = contentType === undefined ? body !== undefined : contentType.startsWith('application/json');
  const hasOthers = slots.find(PAGES) !== undefined || slots.find(MARKDOWN) !== undefined;
  if (!hasOthers || !isJson || !/(?:max-age|s-maxage)=[1-9]/.test(String(headers['Cache-Control'] ?? '')))
    return response;
  return { ...response, headers: { ...headers, Vary: ['Accept', headers.Vary ?? []].flat().join(', ') } };
}
