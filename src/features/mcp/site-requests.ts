import { type RequestContext, type ServiceResponse, urlOf } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';

/** A refusal of the site, in words for an agent. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

/** The words of an error's response. */
function wordsOf(body: unknown): string {
  if (!isJsonObject(body)) return 'The site has refused this.';
  const { error, message, conflicts } = body;
  const words = isJsonObject(error) && typeof error.message === 'string' ? error.message : String(message);
  return conflicts === undefined ? words : `${words} ${JSON.stringify(conflicts)}`;
}

/** A value of a query: lists are repeated, absent ones left out. */
type QueryValue = string | number | readonly string[] | undefined;

type Query = Readonly<Record<string, QueryValue>>;

/** The parts of a request beside its address. */
type Asked = { query?: Query; body?: JsonObject };

/** A path and a query as a request target. */
function targetOf(address: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(name, String(one));
  return params.size === 0 ? address : `${address}?${params}`;
}

/** The requests that tools make: those of the API, with the credentials of the agent. All rights are checked there. */
export class SiteRequests {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** The context of the request of the agent. */
  get context(): RequestContext {
    return this.#context;
  }

  /** The encoded path of the part of the site that the token is good for, the first of several; empty for the whole site. */
  get home(): string {
    const [first] = this.#context.authentication.limits?.paths ?? [];
    return first === undefined || first === '/' ? '' : urlOf('', first);
  }

  /**
   * The encoded path of content, without a slash at its end, that an agent names by a path of the site or by an address below its base.
   * @throws Refused for what cannot be content
   */
  pathOf(named: string): string {
    const { base } = this.#context;
    const path = named === base || named.startsWith(`${base}/`) ? named.slice(base.length) : named;
    if (/^[a-z][a-z0-9+.-]*:/i.test(path))
      throw new Refused(400, `"${named.slice(0, 200)}" is not an address of this site.`);
    const segments = path.split('/').filter((segment) => segment !== '');
    if (segments.some((segment) => /^(?:@|\+\+|%40|\.\.?$)/.test(segment)))
      throw new Refused(400, `"${named.slice(0, 200)}" is not the path of a page.`);
    return segments.map((segment) => `/${encodeURIComponent(decoded(segment))}`).join('');
  }

  /** The path of an address of the site, for results: short, and the same as agents send. */
  shortOf(address: unknown): string {
    const { base } = this.#context;
    if (typeof address !== 'string') return '';
    return address.startsWith(base) ? address.slice(base.length) || '/' : address;
  }

  /** Sends a request. @throws Refused for every response that is no success */
  async #send(method: string, address: string, { query = {}, body }: Asked = {}): Promise<ServiceResponse> {
    const { ask } = this.#context;
    if (!ask) throw new Error('The endpoint for agents makes requests of its own');
    const response = await ask({ method, target: targetOf(address, query), headers: {}, ...(body && { body }) });
    if (response.status < 300) return response;
    response.stream?.destroy();
    if (response.status < 400)
      throw new Refused(response.status, `It is at another address now: ${this.shortOf(response.headers?.Location)}`);
    throw new Refused(response.status, `${response.status}: ${wordsOf(response.body)}`);
  }

  /** The JSON of a response, with its entity tag. @throws Refused */
  async json(method: string, address: string, asked: Asked = {}): Promise<{ body: unknown; etag: string | undefined }> {
    const response = await this.#send(method, address, asked);
    const { ETag: etag } = response.headers ?? {};
    const body = response.bytes === undefined ? response.body : JSON.parse(response.bytes.toString('utf8'));
    return { body, etag: etag === undefined ? undefined : String(etag) };
  }

  /** The JSON object in a response to GET. @throws Refused */
  async object(address: string, query: Query = {}): Promise<JsonObject> {
    const { body } = await this.json('GET', address, { query });
    return isJsonObject(body) ? body : {};
  }

  /** The text of a response to GET. @throws Refused */
  async text(address: string): Promise<string> {
    const { text, bytes } = await this.#send('GET', address);
    return text ?? bytes?.toString('utf8') ?? '';
  }
}

/** A segment of a path that may be percent-encoded already. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
