import { Slot } from '../../lib/slots.ts';
import { CachesCounts } from '../cache/cache-counts.ts';
import type { MailCounts } from '../queue/mail/mail-worker.ts';
import { RequestCounts } from './request-counts.ts';
import type { Work } from './work.ts';

/** The parts of the server that serves a site, as monitoring sees them. */
type ObservedServer = {
  /** The connections that are open. */
  connections(): Promise<number>;
  /** The places for work. */
  work: Work;
};

/** Figures of a process since its start, which monitoring reads. */
export class Observed {
  readonly requests = new RequestCounts();
  readonly caches = new CachesCounts();
  readonly mails: MailCounts = { sent: 0, failures: 0 };
  /** Addresses that the process has asked for itself after its start: responses, and addresses without a response for everybody any more. */
  readonly warmUp = { made: 0, gone: 0 };
  /** Undefined while the site is not served. */
  server: ObservedServer | undefined;
}

/** The figures of the process of a kernel. */
export const OBSERVED = new Slot<Observed>('figures of the process');

/** A response with the figures of the process for the header `Authorization` of a request. */
export type MetricsPage = (
  authorization: string | undefined,
) => Promise<{ status: number; headers: Record<string, string>; text: string }>;

/** The page of metrics on the port of the site. Filled only where the operator has opened it. */
export const METRICS_PAGE = new Slot<MetricsPage>('page of metrics');
