import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Circuit } from '../../src/lib/http/circuit.ts';
import { sendRequest } from '../../src/lib/http/outgoing-request.ts';
import { OutsideService } from '../../src/lib/http/outside-service.ts';
import { type ObservedSite, startObservedSite, startOtherSystem } from './observed-site.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('spans with an SDK that the operator has brought', () => {
  const exporter = new InMemorySpanExporter();
  let site: ObservedSite;
  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    site = await startObservedSite();
  });
  afterAll(async () => {
    await site.close();
    trace.disable();
    propagation.disable();
    context.disable();
  });

  /** The spans of one trace, once the request of it has ended. */
  async function spansOf(id: string): Promise<ReadableSpan[]> {
    const spans = () => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === id);
    await expect.poll(() => spans().some(({ kind }) => kind === SpanKind.SERVER)).toBe(true);
    return spans();
  }

  it('a request is a span below that of the client, and its statements are below it', async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'X-Request-Id': 'traced' };
    expect((await site.request('GET', '/@search?SearchableText=secret-word', { headers })).status).toBe(200);
    const spans = await spansOf(TRACE);
    const request = spans.find(({ kind }) => kind === SpanKind.SERVER);
    expect(request?.name).toBe('GET @search');
    expect(request?.parentSpanContext?.spanId).toBe(PARENT);
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'canopy.service': '@search',
      'canopy.request_id': 'traced',
    });
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.length).toBeGreaterThan(0);
    for (const { parentSpanContext } of statements)
      expect(parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(statements.some(({ attributes }) => String(attributes['db.query.text']).includes('catalog'))).toBe(true);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('secret-word');
  });

  it('statements of a write are below its request', async () => {
    const id = TRACE.replace('0a', '0b');
    const headers = { traceparent: `00-${id}-${PARENT}-01` };
    const json = { '@type': 'Page', title: 'New' };
    expect((await site.request('POST', '/', { json, headers })).status).toBe(201);
    const spans = await spansOf(id);
    const batches = spans.filter(({ attributes }) => 'db.operation.batch.size' in attributes);
    expect(batches.length).toBeGreaterThan(0);
  });

  it('a request without a parent begins a trace', async () => {
    exporter.reset();
    await site.request('GET', '/nowhere', { as: 'anonymous' });
    await expect.poll(() => exporter.getFinishedSpans().some(({ name }) => name === 'GET content')).toBe(true);
    const span = exporter.getFinishedSpans().find(({ name }) => name === 'GET content');
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.attributes['http.response.status_code']).toBe(404);
  });

  it('requests to other systems are spans whose parent those systems get', async () => {
    const other = await startOtherSystem();
    exporter.reset();
    const tracer = trace.getTracer('test');
    await tracer.startActiveSpan('work', async (span) => {
      const request = { url: `${other.url}/hook?key=hidden`, method: 'POST', headers: {}, body: '{}' };
      await sendRequest(request, { circuit: new Circuit(), isPrivateAllowed: true });
      await new OutsideService('The model').fetch(
        `${other.url}/v1/chat?key=hidden`,
        {},
        { answerMs: 5000, silenceMs: 5000 },
      );
      span.end();
    });
    const spans = exporter.getFinishedSpans();
    const work = spans.find(({ name }) => name === 'work');
    for (const [place, path] of ['/hook', '/v1/chat'].entries()) {
      const span = spans.find(({ attributes }) => attributes['url.full'] === `${other.url}${path}`);
      expect(span?.kind).toBe(SpanKind.CLIENT);
      expect(span?.attributes['http.response.status_code']).toBe(200);
      expect(span?.parentSpanContext?.spanId).toBe(work?.spanContext().spanId);
      const { traceId, spanId } = span?.spanContext() ?? {};
      expect(other.requests[place]?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    }
    await other.close();
  });
});
