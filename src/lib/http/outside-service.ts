import { inSpan, outgoingAttributes, type Trace, traceHeaders } from '../process/trace.ts';
import { type Attempt, Circuit, type FailureKind } from './circuit.ts';

/**
 * Another service did not answer, or its connection broke off. It is `resting` where it was not asked, because it has just
 * failed; `retryAfter` is in seconds.
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
 * How long a service may keep silent, in milliseconds: before the head of its response, and between two pieces of the body. `trace` is
 * the request that it is asked for.
 */
export type Patience = { answerMs: number; silenceMs: number; trace?: Trace | undefined };

/** A function that sends one request, as `fetch` does. */
type Send = (input: string | URL | Request, init: RequestInit) => Promise<Response>;

/** Milliseconds until which a failure costs those that ask no time worth mentioning. */
const QUICK_MS = 1000;

/** Silence that this file has ended. */
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
 * A service that the server sends requests to: an object store, a provider of logins, a language model. Every request to such a
 * service goes through here, so that none is without a deadline and one that does not answer is not asked again and again.
 */
export class OutsideService {
  /** At the beginning of a sentence in logs and health checks. */
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

  /** Seconds until it is asked again; 0 while it works. */
  get retryAfter(): number {
    return this.#circuit.retryAfter;
  }

  /** Throws OutsideFailure while the service is not asked: for work whose request comes late. */
  rejectWhileResting(): void {
    if (this.#circuit.rests) throw this.#resting();
  }

  /**
   * `fetch` with deadlines. Any response counts as an answer, whatever its status.
   * @throws OutsideFailure without a response, also while the body is read; the reason of the caller's signal when that ends it
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

  /** A body that fails when nothing of it comes although somebody waits for more. */
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
