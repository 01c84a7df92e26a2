import { Distribution } from '../../lib/process/distribution.ts';
import type { Exchange } from './exchange.ts';

/** Bounds of the durations of requests, in seconds. */
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bounds of the sizes of response bodies, in bytes. */
const SIZE_BYTES = [1, 1e3, 5e3, 25e3, 1e5, 5e5, 2.5e6, 1e7, 1e8];

/** Outcomes of requests: the class of the status, or that the connection ended before the whole response was sent. */
export const OUTCOMES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'] as const;
const ABORTED = OUTCOMES.length - 1;
const TOO_MANY_REQUESTS = 429;

/** The requests to one service. */
type ServiceCounts = { outcomes: number[]; durations: Distribution };

/** Counts of the requests of a process since its start: plain numbers that monitoring reads. */
export class RequestCounts {
  /** By the name of the service. Only names of existing services are keys, so that clients cannot add keys. */
  readonly services = new Map<string, ServiceCounts>();
  /** Bytes of the bodies of responses. */
  readonly sizes = new Distribution(SIZE_BYTES);
  /** Requests that are not done yet. */
  readonly running = new Set<Exchange>();
  /** Requests that were rejected because their sender asks too often (429). */
  tooMany = 0;

  /** Counts a request that is done. */
  add(
    service: string,
    { status, seconds, bytes }: { status: number | undefined; seconds: number; bytes: number },
  ): void {
    let counts = this.services.get(service);
    if (!counts) {
      counts = { outcomes: OUTCOMES.map(() => 0), durations: new Distribution(DURATION_SECONDS) };
      this.services.set(service, counts);
    }
    const outcome = status === undefined ? ABORTED : Math.floor(status / 100) - 1;
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
    counts.durations.add(seconds);
    this.sizes.add(bytes);
    if (status === TOO_MANY_REQUESTS) this.tooMany += 1;
  }

  /** The number of requests that have waited for a response for more than so many milliseconds. Responses that are being sent do not count. */
  longerThan(milliseconds: number): number {
    const before = performance.now() - milliseconds;
    let count = 0;
    for (const exchange of this.running) if (exchange.began < before && !exchange.isAnswered) count += 1;
    return count;
  }
}
