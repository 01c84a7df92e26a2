/** Pages for browsers: a feature fills the slot, and makes each page of what it asks the API in the name of the request. */
export { errorResponse } from '../http/error-response.ts';
export { type AskApi, PAGES as SLOT, type Pages as Maker } from '../http/pages.ts';
export type { RequestAddress as Address } from '../http/request-address.ts';
export type { WireRequest as Request } from '../http/wire-request.ts';
export { parseCredentials, SESSION_COOKIE } from '../people/credentials.ts';
