import { randomUUID } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
} from '@opentelemetry/api';
import { isJsonObject } from '../json-object.ts';

/** The form of an id of a request from a client: short, and of characters that need no quotes in logs and headers. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;
/** The header `traceparent` (W3C Trace Context, 3.2): version, trace, parent and flags. Neither id is all zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id of a request: the id in its header `X-Request-Id` when it is well-formed, else a new id. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

/** The request that has caused some work, directly or by a job or a queue. */
export class Trace {
  /** The id in each line of the log, in the response, and in requests to other systems. */
  readonly requestId: string;
  /** The header `traceparent` of the request, if it had a valid one. */
  readonly traceparent: string | undefined;
  /** The number of statements of the request, and their milliseconds. */
  statements = 0;
  statementMs = 0;

  constructor(requestId: string, traceparent?: string | string[]) {
    this.requestId = requestId;
    this.traceparent = typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
  }
}

/** The JSON in which a trace is stored with queued work; null without a trace. */
export function storedTrace(trace: Trace | undefined): string | null {
  if (!trace) return null;
  const { traceparent } = traceHeaders(trace);
  return JSON.stringify({ request: trace.requestId, traceparent });
}

/** The trace of a stored form; undefined for other values. */
export function parseTrace(stored: unknown): Trace | undefined {
  if (!isJsonObject(stored) || typeof stored.request !== 'string') return undefined;
  return new Trace(
    requestIdOf(stored.request),
    typeof stored.traceparent === 'string' ? stored.traceparent : undefined,
  );
}

/** The mark of a trace in lines of the log. */
export const logMark = (trace: Trace | undefined): { request_id?: string } =>
  trace ? { request_id: trace.requestId } : {};

/** Headers that identify the request to another system. With an SDK, the active span is the parent there. */
export function traceHeaders(trace: Trace | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (trace) headers['x-request-id'] = trace.requestId;
  if (trace?.traceparent !== undefined) headers.traceparent = trace.traceparent;
  propagation.inject(context.active(), headers);
  return headers;
}

const NAME = 'canopy';
const tracer = tracing.getTracer(NAME);

/** True when the operator has loaded an SDK of OpenTelemetry, which records spans. */
export function isTraced(): boolean {
  const provider = tracing.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
}

/** The span of a request, below the span that its headers name. */
export class RequestSpan {
  readonly #span: Span;
  readonly #context: Context;

  constructor(method: string, headers: Readonly<Record<string, string | string[] | undefined>>) {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = { 'http.request.method': method };
    this.#span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    this.#context = tracing.setSpan(parent, this.#span);
  }

  /** Does the work of the request: spans that it begins are below this span. */
  within<T>(work: () => T): T {
    return context.with(this.#context, work);
  }

  /** Ends the span. A status of 500 or more is an error. */
  end({ name, status, attributes }: { name: string; status: number; attributes: Attributes }): void {
    this.#span.updateName(name);
    this.#span.setAttributes({ ...attributes, 'http.response.status_code': status });
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

/** Does work below the trace of the request that began it, without a span of its own. */
export function inTrace<T>(trace: Trace | undefined, work: () => T): T {
  if (trace?.traceparent === undefined || !isTraced()) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent: trace.traceparent }), work);
}

/** Does work in a span of its own, below the active span. An error of the work marks the span. Without an SDK it only calls the work. */
export async function inSpan<T>(
  name: string,
  { attributes, kind = 'client' }: { attributes: Attributes; kind?: 'client' | 'internal' },
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return work(() => undefined);
  const span = tracer.startSpan(name, { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes });
  try {
    return await context.with(tracing.setSpan(context.active(), span), () =>
      work((more) => void span.setAttributes(more)),
    );
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    // Messages of a database may have values of statements.
    if (error instanceof Error) span.setAttribute('error.type', error.name);
    throw error;
  } finally {
    span.end();
  }
}

/** Attributes of the span of a request to another system. The address has no query, which may have secrets. */
export const outgoingAttributes = (method: string, { protocol, host, pathname, hostname }: URL) => ({
  'http.request.method': method,
  'server.address': hostname,
  'url.full': `${protocol}//${host}${pathname}`,
});
