import { inSpan, outgoingAttributes, type Trace, traceHeaders } from '../process/trace.ts';
import { type Attempt, Circuit, type FailureKind } from './circuit.ts';

/**
 * The error for another service that did not respond, or whose connection broke off. `resting` is true if no request was sent, because the service
 * has just failed; `retryAfter` is in seconds.
 */
export class OutsideFailure extends Error {
  readonly service: OutsideService;
  readonly kind: FailureKind | 'resting';
  readonly retryAfter: number;

  constructor(
    service: OutsideService,
    message: string,
    { kind, cause }: { kind: FailureKind | 'resting'; cause?: unknown },
  ) {
    super(`${service.name} ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'OutsideFailure';
    this.service = service;
    this.kind = kind;
    this.retryAfter = Math.max(1, service.retryAfter);
  }
}

/**
 * Maximum milliseconds without data from a service: before the head of its response, and between two pieces of the body. `trace` is the trace of the
 * original request.
 */
export type Patience = { answerMs: number; silenceMs: number; trace?: Trace | undefined };

/** A function that sends one request, as `fetch` does. */
type Send = (input: string | URL | Request, init: RequestInit) => Promise<Response>;

/** Maximum milliseconds of a failure that counts as quick. */
const QUICK_MS = 1000;

/** The error for a request that was ended because no data came. */
class Silence extends Error {
  constructor(milliseconds: number) {
    super(`said nothing for ${Math.round(milliseconds / 1000)} seconds`);
    this.name = 'Silence';
  }
}

const isTimeout = (reason: unknown): boolean =>
  reason instanceof Silence || (reason instanceof DOMException && reason.name === 'TimeoutError');

/** The innermost cause of a failed request in a few words, such as ECONNREFUSED. */
function briefly(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (inner instanceof Silence) return inner.message;
  if (isTimeout(inner)) return 'did not answer in time';
  const code = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  return `cannot be reached (${typeof code === 'string' ? code : inner instanceof Error ? inner.message : String(inner)})`;
}

/**
 * A service that the server sends requests to: an object store, a provider of logins, a language model. Every request to such a service uses this
 * class, so that all requests have deadlines, and a service that does not respond does not get further requests at once.
 */
export class OutsideService {
  /** Display name in logs and health checks, capitalised. */
  readonly name: string;
  readonly #circuit: Circuit;
  readonly #send: Send;
  #trouble: string | undefined;

  /** `maxSilences` as of a Circuit; `send` is used in place of `fetch`. */
  constructor(name: string, { maxSilences, send = fetch }: { maxSilences?: number; send?: Send } = {}) {
    this.name = name;
    this.#send = send;
    this.#circuit = new Circuit(maxSilences);
  }

  /** The failure of the last request; undefined when it succeeded. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Seconds until the service gets requests again; 0 while it works. */
  get retryAfter(): number {
    return this.#circuit.retryAfter;
  }

  /** Throws OutsideFailure while the service rests, for work whose request comes late. */
  rejectWhileResting(): void {
    if (this.#circuit.rests) throw this.#resting();
  }

  /**
   * `fetch` with deadlines. A response with any status counts as an answer.
   * @throws OutsideFailure without a response, also while the body is read; the reason of the caller's signal when it aborts the request
   */
  async fetch(
    input: string | URL | Request,
    init: RequestInit,
    { answerMs, silenceMs, trace }: Patience,
  ): Promise<Response> {
    const attempt = this.#circuit.begin();
    if ('retryAfter' in attempt) throw this.#resting();
    const silence = new AbortController();
    const signal = init.signal ? AbortSignal.any([silence.signal, init.signal]) : silence.signal;
    const timer = setTimeout(() => silence.abort(new Silence(answerMs)), answerMs).unref();
    try {
      const response = await this.#sendTraced(input, { ...init, signal }, trace);
      this.#circuit.worked(attempt);
      this.#trouble = undefined;
      if (!response.body) return response;
      const { status, statusText, headers } = response;
      const body = this.#watched(response.body, { attempt, signal, silence, silenceMs });
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      throw this.#failureOf(error, attempt, signal, performance.now() - attempt.began > QUICK_MS);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends the request in a span of its own, with the headers of its trace. */
  #sendTraced(input: string | URL | Request, init: RequestInit, trace: Trace | undefined): Promise<Response> {
    const { method = 'GET' } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    return inSpan(method, { attributes: outgoingAttributes(method, url) }, async (describe) => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(traceHeaders(trace))) headers.set(name, value);
      const response = await this.#send(input, { ...init, headers });
      describe({ 'http.response.status_code': response.status });
      return response;
    });
  }

  /** A body that fails when no data come although the reader waits for more. */
  #watched(
    body: ReadableStream<Uint8Array>,
    {
      attempt,
      signal,
      silence,
      silenceMs,
    }: { attempt: Attempt; signal: AbortSignal; silence: AbortController; silenceMs: number },
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const timer = setTimeout(() => silence.abort(new Silence(silenceMs)), silenceMs).unref();
          try {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            throw this.#failureOf(error, { ...attempt, isTrial: false }, signal, false);
          } finally {
            clearTimeout(timer);
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  #resting(): OutsideFailure {
    return new OutsideFailure(this, `is not asked at the moment: it ${this.#trouble ?? 'has failed'}`, {
      kind: 'resting',
    });
  }

  #failureOf(error: unknown, attempt: Attempt, signal: AbortSignal, isSlow: boolean): unknown {
    const isSilent = isTimeout(signal.reason);
    if (signal.aborted && !isSilent) {
      this.#circuit.abandoned(attempt);
      return error;
    }
    const kind: FailureKind = isSilent || isSlow ? 'silent' : 'quick';
    this.#circuit.failed(attempt, kind);
    this.#trouble = briefly(isSilent ? signal.reason : error);
    return new OutsideFailure(this, this.#trouble, { kind, cause: error });
  }
}
