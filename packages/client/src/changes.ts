import { ConnectionError, ResponseError, ServerError, TooManyRequestsError } from './errors.ts';
import { streamEvents } from './event-stream.ts';
import { asDeclared, isObject, textOf } from './json.ts';
import { backOffMs, pause } from './retry.ts';
import type { Query, Request, RequestOptions, Transport } from './transport.ts';

/** A place of content: its present one, or a former one. */
export type ChangePlace = { path: string; '@id': string };

/** A change of an object, as the caller sees it. */
export type ContentChange = {
  /** Id of the event; each event comes at least once. */
  id: string;
  /** `present` is an object of the list of all content. */
  event: 'present' | 'created' | 'changed' | 'moved' | 'state' | 'rights' | 'removed' | 'restored';
  time: string;
  path: string;
  '@id': string;
  UID: string;
  '@type': string;
  language: string | null;
  fields: string[];
  state: { from: string | null; to: string | null } | null;
  before: ChangePlace | null;
  after: ChangePlace | null;
  keys: string[];
};

/** The cursor has expired: the data received so far may be wrong, and the list of all content follows. */
export type ListAgain = { event: 'reset' };

export type Change = ContentChange | ListAgain;

export type ChangesOptions = RequestOptions & {
  /** The cursor to continue from; `now`, the default, for new events only; `all` for a list of all content and then new events. */
  since?: string | undefined;
  /** Only of these types, languages, events. */
  types?: readonly string[] | undefined;
  languages?: readonly string[] | undefined;
  events?: readonly Exclude<ContentChange['event'], 'present'>[] | undefined;
  /** `poll` sends repeated requests, for environments that cannot read streamed responses. */
  mode?: 'stream' | 'poll' | undefined;
};

/** Items of one page, at most. */
const PAGE_ITEMS = 500;
/** Seconds for which the server holds a request without events. */
const WAIT_S = 30;
/** Milliseconds for the first bytes of a stream: if a proxy holds them back, the client polls instead. */
const FIRST_BYTES_MS = 10_000;
/** Milliseconds without a sign of life, which comes every 20 seconds, after which a connection is dead. */
const SILENCE_MS = 60_000;
/** Milliseconds before an ended stream is opened again, unless the server gives another time. */
const RETRY_MS = 1000;
/** The longest wait of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Says if the same request may succeed later. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof TooManyRequestsError;

const isGone = (error: unknown): boolean => error instanceof ResponseError && error.status === 410;

/**
 * The changes of content as they happen: `for await (const change of changes)`. It ends when its signal is aborted, with the reason of the signal, or
 * when the loop is left; an interrupted connection is opened again.
 */
export class Changes implements AsyncIterable<Change> {
  readonly #transport: Transport;
  readonly #options: ChangesOptions;
  readonly #query: Query;
  #cursor: string | undefined;
  #mode: 'stream' | 'poll';

  constructor(transport: Transport, path: string | undefined, options: ChangesOptions) {
    const { since = 'now', types, languages, events, mode = 'stream' } = options;
    this.#transport = transport;
    this.#options = options;
    this.#query = {
      path,
      type: types?.join(',') || undefined,
      language: languages?.join(',') || undefined,
      event: events?.join(',') || undefined,
    };
    this.#cursor = since === 'all' ? undefined : since;
    this.#mode = mode;
  }

  /**
   * The cursor after the last change that the loop has handled; a program can store it and pass it as `since` later. Undefined before a list of all
   * content has begun.
   */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    const { maxDelayMs } = this.#transport.retry;
    let [isOpen, failures] = [false, 0];
    for (;;) {
      try {
        for await (const change of this.#follow()) {
          [isOpen, failures] = [true, 0];
          if (change) yield change;
        }
      } catch (error) {
        if (isGone(error)) {
          this.#cursor = undefined;
          yield { event: 'reset' };
          continue;
        }
        // An address that never worked is a mistake; after a success the failure is taken as temporary.
        if (!isOpen || !isTransient(error)) throw error;
        failures += 1;
        const asked = error instanceof ResponseError ? (error.retryAfterMs ?? 0) : 0;
        await pause(Math.max(asked, backOffMs(Math.min(failures, 20), maxDelayMs)), this.#options.signal);
      }
    }
  }

  #request(query: Query, more: Partial<Request> = {}): Request {
    const { signal, headers, init } = this.#options;
    const common = { method: 'GET', path: '/@changes', repeatable: true, signal, headers, init };
    return { ...common, ...more, query: { ...this.#query, since: this.#cursor, ...query } };
  }

  /** Changes from the cursor on, and undefined each time when the connection has worked. */
  async *#follow(): AsyncGenerator<ContentChange | undefined, void, undefined> {
    // Past events and the list of all content come in pages.
    for (let more = true; more; )
      more = yield* this.#page(await this.#transport.json(this.#request({ limit: PAGE_ITEMS })));
    if (this.#mode === 'stream') yield* this.#stream();
    else yield* this.#page(await this.#transport.json(this.#request({ limit: PAGE_ITEMS, wait: WAIT_S })));
  }

  /** The changes of a page. Returns true when the next page is available at once. */
  async *#page(page: unknown): AsyncGenerator<ContentChange | undefined, boolean, undefined> {
    const items = isObject(page) && Array.isArray(page.items) ? asDeclared<ContentChange[]>(page.items) : [];
    yield undefined;
    yield* items;
    this.#cursor = textOf(page, 'cursor') ?? this.#cursor;
    return isObject(page) && page.more === true;
  }

  /** The changes of one stream, until the server or the network ends it or the token expires. */
  async *#stream(): AsyncGenerator<ContentChange | undefined, void, undefined> {
    const { signal, headers } = this.#options;
    const connection = new AbortController();
    const leave = () => connection.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    let hasBytes = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expect = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => connection.abort(new ConnectionError('The site sends no sign of life')), ms);
    };
    const renewal = setTimeout(leave, Math.min(this.#transport.session.renewInMs || MAX_TIMER_MS, MAX_TIMER_MS));
    let retryMs = RETRY_MS;
    try {
      expect(FIRST_BYTES_MS);
      const accept = { ...headers, Accept: 'text/event-stream' };
      const response = await this.#transport.send(this.#request({}, { headers: accept, signal: connection.signal }));
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        await response.body?.cancel();
        this.#mode = 'poll';
        return;
      }
      const onBytes = () => {
        hasBytes = true;
        expect(SILENCE_MS);
      };
      for await (const { id, data, retryMs: asked } of streamEvents(response.body, onBytes)) {
        retryMs = asked ?? retryMs;
        yield data === undefined ? undefined : asDeclared<ContentChange>(JSON.parse(data));
        if (id !== '') this.#cursor = id;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionError) && !connection.signal.aborted) throw error;
      // A proxy holds responses back until they are complete.
      if (!hasBytes && connection.signal.aborted) this.#mode = 'poll';
    } finally {
      clearTimeout(timer);
      clearTimeout(renewal);
      signal?.removeEventListener('abort', leave);
      connection.abort();
    }
    if (this.#mode === 'stream') await pause(retryMs, signal);
  }
}
