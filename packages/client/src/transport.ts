import { CanopyError, ConnectionError, errorOf, type FieldProblem, MovedError, ResponseError } from './errors.ts';
import { isObject, textOf } from './json.ts';
import { Addresses } from './paths.ts';
import { backOffMs, pause, type RetryOptions, retryAfterMs } from './retry.ts';
import { Session } from './session.ts';

/** Options of a client: credentials, headers and repetition. */
export type ClientOptions = {
  /** The token of a login or an access token. */
  token?: string | undefined;
  /** Called with each token from a login or a renewal, for storing it; with undefined after a logout. */
  onToken?: ((token: string | undefined) => void) | undefined;
  /** The language of responses, in the form of `Accept-Language`. */
  language?: string | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  retry?: RetryOptions | undefined;
  /** The function that sends requests, such as a caching one; the default is `fetch`. */
  fetch?: typeof fetch | undefined;
};

/** Options of a single request. */
export type RequestOptions = {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
  /** Options that are passed to `fetch` unchanged, such as `next` and `cache` of Next.js. */
  init?: object | undefined;
};

export type Query = Record<string, unknown>;

/** One request, in parts. */
export type Request = RequestOptions & {
  method: string;
  /** From the root of the site, encoded, without a query. */
  path: string;
  query?: Query | undefined;
  /** A value that is sent as JSON, or bytes. */
  body?: unknown;
  /** True if the request may be repeated without a response: reading, and writes with an `Idempotency-Key`. */
  repeatable: boolean;
  /** `error` throws MovedError instead of following a redirect. */
  redirects?: 'follow' | 'error' | undefined;
};

const isBytes = (body: unknown): body is Blob | Uint8Array<ArrayBuffer> =>
  body instanceof Blob || body instanceof Uint8Array;

/** Statuses after which the same request may succeed. 409 is one of them only with a `Retry-After`. */
const TRANSIENT = new Set([429, 502, 503, 504]);

/** The text of a query: members with lists are repeated, absent ones and null are left out. */
function queryText(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null)
        parameters.append(name, one instanceof Date ? one.toISOString() : String(one));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The problems of fields in the body of an error. */
function problemsOf(body: unknown): FieldProblem[] {
  const errors = isObject(body) && isObject(body.error) && Array.isArray(body.error.errors) ? body.error.errors : [];
  return errors.flatMap((one: unknown) => {
    const [field, message] = [textOf(one, 'field'), textOf(one, 'message')];
    return message === undefined ? [] : [field === undefined ? { message } : { field, message }];
  });
}

async function failureOf(response: Response): Promise<ResponseError> {
  const text = await response.text().catch(() => '');
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Proxies send pages of HTML instead of JSON.
  }
  const problems = problemsOf(body);
  const inner = isObject(body) ? textOf(body.error, 'message') : undefined;
  return errorOf({
    status: response.status,
    type: textOf(body, 'type') ?? 'Unknown',
    // For problems of fields the outer message is a list as JSON, the inner message a sentence.
    message: inner ?? textOf(body, 'message') ?? `The server returned ${response.status}`,
    problems,
    requestId: response.headers.get('x-request-id') ?? undefined,
    body,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

/** Makes requests to one site: credentials, repetition, errors. */
export class Transport {
  readonly addresses: Addresses;
  readonly session: Session;
  readonly #options: ClientOptions;

  constructor(url: string, options: ClientOptions) {
    this.addresses = new Addresses(url);
    this.session = new Session(options.token, options.onToken);
    this.#options = options;
  }

  /** The maximum number of repetitions of a request, and the maximum milliseconds between two. */
  get retry(): { attempts: number; maxDelayMs: number } {
    const { attempts = 3, maxDelayMs = 30_000 } = this.#options.retry ?? {};
    return { attempts, maxDelayMs };
  }

  /** Returns the response when it is a success. Throws ResponseError, ConnectionError, or the reason of the signal. */
  async send(request: Request): Promise<Response> {
    const { signal, repeatable } = request;
    const { attempts, maxDelayMs } = this.retry;
    await this.session.refresh((token) => this.#renew(token), signal);
    for (let done = 1; ; done += 1) {
      const outcome = await this.#attempt(request, this.session.token);
      if (outcome instanceof Response) return outcome;
      const asked = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
      const isTransient =
        outcome instanceof ConnectionError ||
        TRANSIENT.has(outcome.status) ||
        (outcome.status === 409 && asked !== undefined);
      if (!repeatable || !isTransient || done > attempts || (asked ?? 0) > maxDelayMs) throw outcome;
      await pause(Math.max(asked ?? 0, backOffMs(done, maxDelayMs)), signal);
    }
  }

  /**
   * The path on the site of an address in a response. If the address begins otherwise than requests, the site is asked for its own address. Throws
   * CanopyError for an address of another site.
   */
  async pathOf(address: string, signal: AbortSignal | undefined): Promise<string> {
    const known = this.addresses.pathOf(address);
    if (known !== undefined) return known;
    const path = '/@site';
    this.addresses.learn(textOf(await this.json({ method: 'GET', path, signal, repeatable: true }), '@id'), path);
    const learned = this.addresses.pathOf(address);
    if (learned === undefined) throw new CanopyError(`The address is not of this site: ${address}`);
    return learned;
  }

  /** Sends a request and returns its JSON, undefined when the response has no body. */
  async json(request: Request): Promise<unknown> {
    return this.jsonOf(await this.send(request), request.signal);
  }

  /**
   * The JSON of a response; undefined when it has no body. Throws ConnectionError for a response that is cut off, and CanopyError for a body that is
   * not JSON.
   */
  async jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    const text = await response.text().catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new ConnectionError('The connection to the site ended before the response did', { cause });
    });
    try {
      return text === '' ? undefined : JSON.parse(text);
    } catch (cause) {
      throw new CanopyError('The response is no JSON: the address may be that of something else', { cause });
    }
  }

  /** Returns the response of a success, or an error after which the request may be repeated. Throws other errors. */
  async #attempt(request: Request, token: string | undefined): Promise<Response | ResponseError | ConnectionError> {
    const { method, path, query, body, redirects, signal, headers, init } = request;
    const json = body !== undefined && !isBytes(body);
    const { language, fetch: send = fetch, headers: common } = this.#options;
    const address = `${this.addresses.url}${path}${queryText(query)}`;
    const ask = (redirect: RequestInit['redirect']) =>
      send(address, {
        ...init,
        ...(redirect === undefined ? {} : { redirect }),
        method,
        headers: {
          Accept: 'application/json',
          ...(language === undefined ? {} : { 'Accept-Language': language }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(json ? { 'Content-Type': 'application/json' } : {}),
          ...common,
          ...headers,
        },
        ...(body === undefined ? {} : { body: isBytes(body) ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    let response: Response;
    try {
      response = await ask(redirects === 'error' ? 'manual' : undefined);
      // Browsers hide where a response leads to, so that it is followed there.
      if (response.type === 'opaqueredirect') response = await ask('follow');
    } catch (cause) {
      signal?.throwIfAborted();
      return new ConnectionError(`The site cannot be reached at ${this.addresses.url}`, { cause });
    }
    if (redirects === 'error' && (response.redirected || Math.trunc(response.status / 100) === 3)) {
      // A copy of the body, such as that of a cache, would hold up the end of this one: nothing waits for it.
      response.body?.cancel().catch(() => undefined);
      throw new MovedError(await this.#placeOf(response.headers.get('location') ?? response.url, signal));
    }
    return response.ok || response.status === 304 ? response : failureOf(response);
  }

  /** The path on the site that a response leads to, without its query; the address where it is that of another site. */
  async #placeOf(location: string, signal: AbortSignal | undefined): Promise<string> {
    const address = new URL(location, this.addresses.url).href;
    const path = await this.pathOf(address, signal).catch((error: unknown) => {
      if (error instanceof ResponseError || error instanceof ConnectionError) throw error;
      return undefined;
    });
    return path?.split('?', 1)[0] ?? address;
  }

  /** Asks for a newer token. Undefined when the server gives no other: the request that needed it shows why. */
  async #renew(token: string): Promise<string | undefined> {
    const request: Request = { method: 'POST', path: '/@login-renew', repeatable: false };
    const outcome = await this.#attempt(request, token);
    return outcome instanceof Response ? textOf(await outcome.json().catch(() => undefined), 'token') : undefined;
  }
}
