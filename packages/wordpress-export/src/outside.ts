import { ExportError, type OutsideResponse, type RequestOutside } from '@canopy-server/site-reader';

/** Redirects that one request follows. */
const MAX_REDIRECTS = 5;

/** Times that a request is sent when the other server is busy or does not respond. */
const MAX_ATTEMPTS = 3;

/** Milliseconds before the second attempt, twice as many before the third, and the most that a server may ask for. */
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The error for a request without a usable response; `isPassing` says that another attempt may succeed. */
export class OutsideError extends Error {
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.name = 'OutsideError';
    this.isPassing = isPassing;
  }
}

/** Settings of the requests to an old site. */
export type OutsideSettings = {
  request: RequestOutside;
  /** The site that was named by who imports: only it may be in a private network, and only it gets the login. */
  trusted: URL | undefined;
  /** Says that all addresses may lead into private networks. */
  isPrivateAllowed: boolean;
  /** The header `Authorization`; undefined without a login. */
  authorization: string | undefined;
  /** Milliseconds without data after which a request ends. */
  silenceMs: number;
};

/** Ends a request when no data come for a while. */
type Watch = { silence: AbortController; silenceMs: number };

/** A response that is no redirect; `url` is where it was found. */
export type FoundResponse = OutsideResponse & { url: URL };

/** The reason of a failed request, in words for a report. */
function reasonOf(error: unknown, { silence, silenceMs }: Watch): string {
  if (silence.signal.aborted) return `no data came for ${silenceMs / 1000} seconds`;
  const message = error instanceof Error ? error.message : String(error);
  return message === 'aborted' ? 'the connection was cut' : message;
}

/** The first value of a header; empty without one. */
export const headerOf = ({ headers }: OutsideResponse, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** Milliseconds until the next attempt, as the other server asks for. */
function pauseOf(response: OutsideResponse | undefined, attempt: number): number {
  const asked = response === undefined ? Number.NaN : Number.parseInt(headerOf(response, 'retry-after'), 10) * 1000;
  return Number.isNaN(asked) ? PAUSE_MS * 2 ** attempt : Math.min(Math.max(0, asked), MAX_PAUSE_MS);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The bytes of a body. It ends with an error when no data come for a while. */
async function* watched(body: AsyncIterable<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => watch.silence.abort(), watch.silenceMs);
  };
  try {
    wait();
    for await (const chunk of body) {
      clearTimeout(timer);
      yield chunk;
      wait();
    }
  } catch (error) {
    throw new OutsideError(reasonOf(error, watch), true);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends one request, without another attempt. */
async function sendOnce(settings: OutsideSettings, url: URL): Promise<OutsideResponse> {
  const { request, trusted, authorization, silenceMs } = settings;
  const isTrusted = url.origin === trusted?.origin;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await request(url, {
      headers: {
        Accept: 'application/json, */*;q=0.5',
        ...(isTrusted && authorization !== undefined && { Authorization: authorization }),
      },
      signal: silence.signal,
      isPrivateAllowed: isTrusted || settings.isPrivateAllowed,
    });
    return { ...response, body: watched(response.body, { silence, silenceMs }) };
  } catch (error) {
    // A refusal to enter a private network stays one.
    const isRefused = error instanceof Error && 'permanent' in error && error.permanent === true;
    throw new OutsideError(reasonOf(error, { silence, silenceMs }), !isRefused);
  } finally {
    clearTimeout(timer);
  }
}

/** The next address of a redirect. Throws OutsideError for one that leads nowhere. */
function nextOf(response: OutsideResponse, url: URL): URL {
  const to = headerOf(response, 'location');
  const next = URL.canParse(to, url.href) ? new URL(to, url) : undefined;
  if (!next || !/^https?:$/.test(next.protocol)) throw new OutsideError('it redirects to no address', false);
  return next;
}

/**
 * Sends a GET, follows redirects, and tries again where the server is busy. Each address of the way is checked by itself. Returns any other response.
 * Throws OutsideError with the reason.
 */
export async function get(settings: OutsideSettings, start: URL): Promise<FoundResponse> {
  let url = start;
  let redirects = 0;
  for (let attempt = 0; ; ) {
    let response: OutsideResponse | undefined;
    try {
      response = await sendOnce(settings, url);
    } catch (error) {
      if (!(error instanceof OutsideError) || !error.isPassing || attempt + 1 >= MAX_ATTEMPTS) throw error;
    }
    if (response && REDIRECTS.has(response.status)) {
      response.close();
      redirects += 1;
      if (redirects > MAX_REDIRECTS) throw new OutsideError(`it redirects more than ${MAX_REDIRECTS} times`, false);
      url = nextOf(response, url);
      continue;
    }
    if (response && (!BUSY.has(response.status) || attempt + 1 >= MAX_ATTEMPTS)) return { ...response, url };
    response?.close();
    await pause(pauseOf(response, attempt));
    attempt += 1;
  }
}

/** Bytes of one response of JSON. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** Loads a body of a bounded size. Throws OutsideError for a larger one. */
export async function loadBody(response: OutsideResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) {
      response.close();
      throw new OutsideError(`the response has more than ${MAX_JSON_BYTES / 1024 / 1024} MiB`, false);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The error for an address of the site without which nothing can be read. */
export const unreadable = (url: URL, reason: string): ExportError =>
  new ExportError(`${url.origin}${url.pathname} cannot be read: ${reason}.`);
