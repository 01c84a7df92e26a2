import type { Kernel } from '../core/kernel/kernel.ts';

/** The caller: the first Manager, a visitor, a user with a password, or a user with a token of `@login`. */
export type Who = 'admin' | 'anonymous' | { login: string; password: string } | { token: string };

/** A loaded response. `body` is its JSON; undefined for an empty text or another media type. */
export type Exchange = { status: number; headers: Headers; text: string; bytes: Buffer; body: Json };

/** The JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON of any shape; tests assert on what they read
export type Json = any;

/** The caller, the body and the headers of a request. */
export type RequestOptions = {
  /** `admin` unless given. */
  as?: Who;
  /** A body that is sent as JSON. */
  json?: unknown;
  /** A body that is sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

/** A site that a test has started. */
export type RunningSite = {
  /** Its address, without a slash at the end. */
  url: string;
  kernel: Kernel;
  /** The first Manager, for `@login`. */
  admin: { login: string; password: string };
  /** Sends a request to a path, or an address, of the site. Redirects are not followed. */
  request(method: string, path: string, options?: RequestOptions): Promise<Exchange>;
  close(): Promise<void>;
};

/** The first Manager of sites in tests. */
export const ADMIN = { login: 'admin', password: 'admin' };

const authorization = (as: Who): Record<string, string> => {
  if (as === 'anonymous') return {};
  if (typeof as === 'object' && 'token' in as) return { Authorization: `Bearer ${as.token}` };
  const { login, password } = as === 'admin' ? ADMIN : as;
  return { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
};

/** A function that sends requests to the site at an address: by default as JSON and in the name of the first Manager. */
export const requestTo =
  (url: string): RunningSite['request'] =>
  async (method, path, { as = 'admin', json, body, headers = {} } = {}) => {
    const response = await fetch(/^https?:/.test(path) ? path : url + path, {
      method,
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...authorization(as),
        ...headers,
      },
      ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('utf8');
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
