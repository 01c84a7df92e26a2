import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../lib/process/process.ts';
import { RequestSpan, Trace } from '../../lib/process/trace.ts';
import { loggedPath } from './logged-path.ts';
import type { RequestCounts } from './request-counts.ts';
import type { SeenSite } from './seen-site.ts';

/** The service of a request whose address is malformed, or names no service. */
const UNKNOWN = 'unknown';
/** The service without a name: the content itself. */
const CONTENT = 'content';

/** The counter of exchanges, with their log if there is one. */
export type ExchangeParts = {
  counts: RequestCounts;
  /** The names of all services, by which requests are counted. */
  names: ReadonlySet<string>;
  accessLog: Log | undefined;
  /** True when spans are recorded. */
  isTraced: boolean;
};

/** The parts of a request that an exchange reads. */
type Received = { id: string; raw: IncomingMessage; originalUrl: string; ip: string };
/** The parts of a response that an exchange reads. */
type Sent = { raw: ServerResponse; getHeader(name: string): unknown };

/** One request with its response, from the head of the request to the last byte of the response. */
export class Exchange {
  readonly #parts: ExchangeParts;
  readonly #request: Received;
  readonly #reply: Sent;
  readonly #span: RequestSpan | undefined;
  /** Its start, by `performance.now`. */
  readonly began = performance.now();
  readonly trace: Trace;
  /** The facts about the request that its work has found out. */
  readonly seen: SeenSite = {};
  /** The bytes that the connection had sent before a response whose length is not known. */
  #sentBefore: number | undefined;

  constructor(parts: ExchangeParts, request: Received, reply: Sent) {
    this.#parts = parts;
    this.#request = request;
    this.#reply = reply;
    const { headers, method = '' } = request.raw;
    this.trace = new Trace(request.id, headers.traceparent);
    this.#span = parts.isTraced ? new RequestSpan(method, headers) : undefined;
    parts.counts.running.add(this);
    reply.raw.on('close', () => this.#end());
  }

  /** True once the head of the response was sent. */
  get isAnswered(): boolean {
    return this.#reply.raw.headersSent;
  }

  /** Does the work of the request, below its span where spans are recorded. */
  within<T>(work: () => T): T {
    return this.#span ? this.#span.within(work) : work();
  }

  /** Notes that the length of the response is not known before it is sent. */
  streams(): void {
    this.#sentBefore = this.#request.raw.socket.bytesWritten;
  }

  /** The header `Server-Timing`: milliseconds since the start of the request, and milliseconds of its statements. */
  get timing(): string {
    const { statements, statementMs } = this.trace;
    const { cache } = this.seen;
    const total = `total;dur=${(performance.now() - this.began).toFixed(1)}`;
    const database = `db;dur=${statementMs.toFixed(1)};desc="${statements} statements"`;
    return [total, database, ...(cache ? [`cache;desc="${cache}"`] : [])].join(', ');
  }

  #end(): void {
    const { counts, accessLog } = this.#parts;
    counts.running.delete(this);
    const { writableFinished, statusCode } = this.#reply.raw;
    const seconds = (performance.now() - this.began) / 1000;
    const bytes = this.#bytes;
    const service = this.#service;
    counts.add(service, { status: writableFinished ? statusCode : undefined, seconds, bytes });
    if (accessLog) this.#write(accessLog, { seconds, bytes });
    const { method = '' } = this.#request.raw;
    this.#span?.end({
      name: `${method} ${service}`,
      status: statusCode,
      attributes: {
        'canopy.service': service,
        'canopy.request_id': this.#request.id,
        'http.response.body.size': bytes,
      },
    });
  }

  #write(log: Log, { seconds, bytes }: { seconds: number; bytes: number }): void {
    const { raw, originalUrl, ip, id } = this.#request;
    const { statusCode, writableFinished } = this.#reply.raw;
    const { cache, reader } = this.seen;
    const { statements, statementMs } = this.trace;
    log.info(
      {
        request_id: id,
        method: raw.method,
        path: loggedPath(originalUrl),
        status: statusCode,
        ms: Math.round(seconds * 1e5) / 100,
        bytes,
        user: reader?.user ?? null,
        client: ip,
        ...(cache && { cache }),
        ...(statements > 0 && { statements, statement_ms: Math.round(statementMs * 100) / 100 }),
        ...(!writableFinished && { aborted: true }),
      },
      'request',
    );
  }

  /** Bytes of the body that were sent. Where the length was not known, the head of the response counts, too. */
  get #bytes(): number {
    const { raw } = this.#request;
    if (this.#sentBefore !== undefined) return Math.max(0, raw.socket.bytesWritten - this.#sentBefore);
    if (raw.method === 'HEAD' || !this.#reply.raw.writableFinished) return 0;
    return Number(this.#reply.getHeader('content-length') ?? 0);
  }

  get #service(): string {
    const { serviceName } = this.seen;
    if (serviceName === '') return CONTENT;
    return serviceName !== undefined && this.#parts.names.has(serviceName) ? serviceName : UNKNOWN;
  }
}
