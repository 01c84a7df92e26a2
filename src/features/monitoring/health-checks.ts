import { subscribe } from 'node:diagnostics_channel';
import { statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { HealthCheck, HealthStatus } from '../../site/health-checks.ts';
import { pingDatabase } from '../../storage/statements/figures-ping.ts';

const isResponseStart = (message: unknown): message is { response: ServerResponse } =>
  typeof message === 'object' && message !== null && 'response' in message;

/** The requests that this process is answering: Node tells of each one that begins. */
class RunningRequests {
  readonly #started = new Map<ServerResponse, number>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      if (!isResponseStart(message)) return;
      const { response } = message;
      this.#started.set(response, performance.now());
      response.once('close', () => this.#started.delete(response));
    });
  }

  /** How many have no answer yet after so many milliseconds. Long downloads do not count: their answer has begun. */
  longerThan(milliseconds: number): number {
    const before = performance.now() - milliseconds;
    let count = 0;
    for (const [response, started] of this.#started) if (started < before && !response.headersSent) count += 1;
    return count;
  }
}

/** One for the process, as it has one server. */
export const runningRequests = new RunningRequests();

/** Milliseconds of an answer of the database or the blob store above which something is wrong with it. */
const SLOW = 1000;

const GIB = 1024 ** 3;
/** Bytes left on the disk of the data below which there is a warning, and below which writes are about to fail. */
const LITTLE_SPACE = GIB;
const NO_SPACE = GIB / 10;

/** Milliseconds after which a request that has no answer yet takes long (Nick). */
const LONG_RUNNING = 3000;

/** How long some work takes, in milliseconds, as an observation. */
async function timed(work: () => Promise<void>) {
  const start = performance.now();
  await work();
  const observedValue = Math.round(performance.now() - start);
  const status: HealthStatus = observedValue > SLOW ? 'warn' : 'pass';
  return { status, observedValue, observedUnit: 'ms' };
}

/** The health of free space, in bytes. */
export function spaceStatus(free: number): HealthStatus {
  if (free < NO_SPACE) return 'fail';
  return free < LITTLE_SPACE ? 'warn' : 'pass';
}

const uptime: HealthCheck = {
  name: 'uptime',
  componentType: 'system',
  keep: 0,
  observe: async () => ({ status: 'pass', observedValue: Math.floor(process.uptime()), observedUnit: 's' }),
};

const database: HealthCheck = {
  name: 'database:responseTime',
  componentType: 'datastore',
  observe: ({ db }) => timed(() => pingDatabase(db)),
};

const blobStore: HealthCheck = {
  name: 'blobStore:responseTime',
  componentType: 'datastore',
  // It writes, and a bucket may be paid by the request.
  keep: 10_000,
  observe: ({ blobs }) => timed(() => blobs.check()),
};

const disk: HealthCheck = {
  name: 'disk:available',
  componentType: 'system',
  async observe({ config }) {
    const folder = resolve(config.dataDir);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const status = spaceStatus(free);
    return {
      status,
      observedValue: free,
      observedUnit: 'bytes',
      ...(status === 'pass' ? {} : { output: `Little space is left at ${folder}` }),
    };
  },
};

/** A warning only: a client that sends slowly makes its request take long, and must not put the server out of service. */
const requests: HealthCheck = {
  name: 'requests:longRunning',
  componentType: 'component',
  keep: 0,
  async observe() {
    const observedValue = runningRequests.longerThan(LONG_RUNNING);
    return { status: observedValue > 0 ? 'warn' : 'pass', observedValue, observedUnit: 'requests' };
  },
};

/** What every site needs. */
export const coreHealthChecks: readonly HealthCheck[] = [uptime, database, blobStore, disk, requests];
