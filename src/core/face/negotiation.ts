/**
 * Responses in other forms than JSON: a feature fills a slot, and makes each response from responses of the API, which it asks in the name of the
 * request.
 */
export { errorResponse } from '../http/error-response.ts';
export { MARKDOWN, type Maker, PAGES } from '../http/negotiation.ts';
export type { RequestAddress as Address } from '../http/request-address.ts';
export type { AskApi, WireRequest as Request } from '../http/wire-request.ts';
export { parseCredentials, SESSION_COOKIE } from '../people/credentials.ts';
