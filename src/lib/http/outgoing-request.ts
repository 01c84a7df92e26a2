import { lookup as lookUpAddress } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { lazyPackage } from '../process/lazy-package.ts';
import { inSpan, outgoingAttributes, type Trace, traceHeaders } from '../process/trace.ts';
import type { Circuit, FailureKind } from './circuit.ts';

/** Loaded with the first request over TLS. */
const https = lazyPackage<typeof import('node:https')>('node:https');

/** Maximum milliseconds for a request. */
const TIMEOUT_MS = 10_000;
/** Maximum bytes of a response that are read; its body is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A request to another system. `body` is sent as JSON with methods other than GET; without it no body is sent. */
export type OutgoingRequest = {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** The request that it is sent for. */
  trace?: Trace | undefined;
};

/**
 * The error for a request that did not succeed. `permanent` is true if another attempt makes no sense; `failure` is set without a response, `status`
 * with a response.
 */
export class RequestNotTaken extends Error {
  readonly permanent: boolean;
  readonly failure: FailureKind | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    permanent: boolean,
    { cause, failure, status }: { cause?: unknown; failure?: FailureKind; status?: number } = {},
  ) {
    super(message, { cause });
    this.name = 'RequestNotTaken';
    this.permanent = permanent;
    this.failure = failure;
    this.status = status;
  }
}

/** The problem with the address of a request; undefined for a good one. */
export function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
    ? undefined
    : 'Must be an address that begins with http:// or https://, without a password.';
}

/**
 * Addresses that cannot be reached from the internet, or that belong to no single host (IANA's special-purpose registries). There are two lists,
 * because one list would match every address of IPv4 also as one of IPv6.
 */
function privateAddresses(): { ipv4: BlockList; ipv6: BlockList } {
  const [ipv4, ipv6] = [new BlockList(), new BlockList()];
  const networks: [string, number][] = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ];
  for (const [network, bits] of networks) ipv4.addSubnet(network, bits, 'ipv4');
  // Only 2000::/3 is assigned; within it, blocks that stand for other networks are also private.
  ipv6.addSubnet('::', 3, 'ipv6');
  ipv6.addSubnet('4000::', 2, 'ipv6');
  ipv6.addSubnet('8000::', 1, 'ipv6');
  ipv6.addSubnet('2001:db8::', 32, 'ipv6');
  ipv6.addSubnet('2001::', 32, 'ipv6');
  ipv6.addSubnet('2002::', 16, 'ipv6');
  return { ipv4, ipv6 };
}

const PRIVATE = privateAddresses();

/** True if an IP address is in a private network, or in no network. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 6 ? PRIVATE.ipv6.check(address, 'ipv6') : PRIVATE.ipv4.check(address, 'ipv4');

/** True if the host of an address is private by its text. Names may also lead to private addresses; `publicLookup` checks names. */
export function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : isPrivateAddress(host);
}

const refused = () =>
  new RequestNotTaken('The address leads into a private network, which the server does not allow.', true);

/** Looks up a name, and rejects a name that leads into a private network. The connection uses the address of this lookup. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUpAddress(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => isPrivateAddress(address))) return callback(refused(), '');
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** Reads a response up to a limit and discards it. */
function drain(answer: IncomingMessage, request: ClientRequest, done: () => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) request.destroy();
  });
  answer.on('close', done);
}

/** Sends a request to one address, in a span of its own. */
const sendOnce = (url: URL, request: Omit<OutgoingRequest, 'url'>, options: SendOnceOptions): Promise<number> =>
  inSpan(request.method, { attributes: outgoingAttributes(request.method, url) }, async (describe) => {
    const status = await sendTo(url, request, options);
    describe({ 'http.response.status_code': status });
    return status;
  });

type SendOnceOptions = { isPrivateAllowed: boolean; signal: AbortSignal };

function sendTo(
  url: URL,
  { method, headers, body, trace }: Omit<OutgoingRequest, 'url'>,
  options: SendOnceOptions,
): Promise<number> {
  const { isPrivateAllowed, signal } = options;
  if (!isPrivateAllowed && isPrivateHost(url)) return Promise.reject(refused());
  const send = url.protocol === 'https:' ? https().request : requestHttp;
  const hasBody = method !== 'GET' && body !== undefined;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method,
        signal,
        agent: false,
        ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
        headers: {
          'user-agent': 'Canopy',
          ...traceHeaders(trace),
          ...headers,
          ...(hasBody ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
        },
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        drain(answer, request, () => resolve(status));
      },
    );
    request.on('error', reject);
    request.end(hasBody ? body : undefined);
  });
}

type OpenOptions = {
  method?: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  isPrivateAllowed?: boolean;
};

/**
 * Sends a request, into private networks only if allowed, also if a name leads there. It follows no redirects. Returns the response, of which the
 * caller reads the body or destroys it. Throws RequestNotTaken for private networks, and the error of the connection.
 */
export async function openResponse(
  url: URL,
  { method = 'GET', headers, body, signal, isPrivateAllowed = false }: OpenOptions,
): Promise<IncomingMessage> {
  if (!isPrivateAllowed && isPrivateHost(url)) throw refused();
  const send = url.protocol === 'https:' ? https().request : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        ...{ method, headers: { ...headers }, agent: false },
        ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
        ...(signal && { signal }),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Maximum bytes of a response of `fetchPublic`. */
const MAX_FETCHED_BYTES = 1024 * 1024;

/** Receives the bytes of a response up to the limit. */
async function receive(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_FETCHED_BYTES) throw new RequestNotTaken('The response of the other system is too large.', true);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * `fetch` for addresses from the settings of a site: it follows no redirects, and sends nothing into private networks, also if a name leads there.
 * Throws RequestNotTaken for private networks, and a TypeError when the other system cannot be reached, as `fetch` does.
 */
export async function fetchPublic(address: string | URL | Request, init: RequestInit): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const url = new URL(address instanceof Request ? address.url : address);
  const sent = body === undefined || body === null ? undefined : String(body);
  try {
    const answer = await openResponse(url, { method, headers, body: sent, signal: signal ?? undefined });
    const status = answer.statusCode ?? 0;
    const bytes = await receive(answer);
    return new Response([204, 304].includes(status) ? null : new Uint8Array(bytes), {
      status,
      headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    });
  } catch (error) {
    if (error instanceof RequestNotTaken || signal?.aborted) throw error;
    throw new TypeError('fetch failed', { cause: error });
  }
}

/** Statuses after which another attempt may succeed. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

type SendOptions = { isPrivateAllowed: boolean; takes?: readonly number[] };

/**
 * Sends a request, into private networks only if allowed. It follows no redirects, because its headers prove the identity of the sender, and must
 * reach only the intended system. `takes` names statuses that count as success beside 2xx. Throws RequestNotTaken unless it succeeds in time, and at
 * once while `circuit` rests, so that other requests do not wait for a system that does not respond. Returns the status.
 */
export async function sendRequest(
  request: OutgoingRequest,
  { circuit, ...options }: SendOptions & { circuit: Circuit },
): Promise<number> {
  const attempt = circuit.begin();
  if ('retryAfter' in attempt) throw new RequestNotTaken('The other system has not answered a moment ago.', false);
  try {
    const status = await sendInTime(request, options);
    circuit.worked(attempt);
    return status;
  } catch (error) {
    if (!(error instanceof RequestNotTaken)) circuit.abandoned(attempt);
    else if (error.failure) circuit.failed(attempt, error.failure);
    else circuit.worked(attempt);
    throw error;
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The message for a status that is no success. */
const notTaken = (status: number): string =>
  REDIRECTS.has(status)
    ? `The other system redirects with the status ${status}. Redirects are not followed: send to the final address.`
    : `The other system answered with the status ${status}.`;

async function sendInTime(
  { url, ...request }: OutgoingRequest,
  { isPrivateAllowed, takes = [] }: SendOptions,
): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const status = await sendOnce(new URL(url), request, { isPrivateAllowed, signal }).catch((error: unknown) => {
    if (error instanceof RequestNotTaken) throw error;
    const reason = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} seconds` : messageOf(error);
    const failure = signal.aborted ? 'silent' : 'quick';
    throw new RequestNotTaken(`The other system could not be reached: ${reason}.`, false, { cause: error, failure });
  });
  if ((status >= 200 && status < 300) || takes.includes(status)) return status;
  throw new RequestNotTaken(notTaken(status), !isPassing(status), { status });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
