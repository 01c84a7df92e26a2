import type { Readable } from 'node:stream';
import type { Trace } from '../../lib/process/trace.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { RequestEnd } from './request-end.ts';

/** A request as it came over the wire. */
export type WireRequest = {
  method: string;
  /** Path and query. */
  target: string;
  /** Scheme and host that the client used, as far as trusted proxies report them. */
  scheme: string;
  host: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
  clientAddress: string;
  /** True if it came from a trusted proxy (`TRUST_PROXY`). */
  fromTrustedProxy: boolean;
  trace: Trace;
  /** The signal at which its work ends early. The signal is made at the first call: responses from memory need no signal. */
  end: () => RequestEnd;
  /** Sends a request to the API, as if it had come over the same connection. */
  ask: AskApi;
};

/** The parts that a request to the API changes in a copy of the original request. */
type Asked = { method: string; target: string; headers: WireRequest['headers']; body: Readable };

/** Sends a request to the API, as if it had come over the wire. Errors are responses as well. */
export type AskApi = (asked: Partial<Asked>) => Promise<ServiceResponse>;

/** The value of a header, whose name is in lower case; the first one when it was sent several times. */
export function header({ headers }: Pick<WireRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The query string of a request with its question mark; empty without one. */
export function queryOf({ target }: Pick<WireRequest, 'target'>): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark);
}

/** The parameters of the query, each as it was sent. */
const parametersIn = (request: Pick<WireRequest, 'target'>): string[] => queryOf(request).slice(1).split('&');

/** The value of a parameter of the query by a name of plain letters, as it was sent; undefined for none. */
export const parameterOf = (request: Pick<WireRequest, 'target'>, name: string): string | undefined =>
  parametersIn(request)
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Says if the query of a request has a parameter of one of these names of plain letters. */
export const hasParameter = (request: Pick<WireRequest, 'target'>, names: readonly string[]): boolean =>
  parametersIn(request).some((part) => names.some((name) => part.startsWith(`${name}=`)));

/** Says if a request only reads: GET and HEAD. */
export const isReading = ({ method }: Pick<WireRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';
