import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type HealthCheck, OBSERVED, REPLICAS } from '#core';
import type { Observation } from './health.ts';
import { pingDatabase } from './statements.ts';

/** Response time of the database or the blob store above which the check warns. */
const SLOW_MS = 1000;

/** Bytes of the write-ahead log by which a replica may lag before the check warns. */
const MAX_BEHIND_BYTES = 64 * 1024 ** 2;

const GIB = 1024 ** 3;
/** Free bytes on the disk of the data below which the check warns. */
const LOW_SPACE_BYTES = GIB;
/** Free bytes below which writes are about to fail. */
const MIN_SPACE_BYTES = GIB / 10;

/** Time without a response after which a request counts as long-running (Nick). */
const LONG_RUNNING_MS = 3000;

/** Observes how many milliseconds some work takes. */
async function timed(work: () => Promise<void>) {
  const start = performance.now();
  await work();
  const observedValue = Math.round(performance.now() - start);
  const status: Observation['status'] = observedValue > SLOW_MS ? 'warn' : 'pass';
  return { status, observedValue, observedUnit: 'ms' };
}

/** The status for a number of free bytes. */
export function spaceStatus(free: number): Observation['status'] {
  if (free < MIN_SPACE_BYTES) return 'fail';
  return free < LOW_SPACE_BYTES ? 'warn' : 'pass';
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

/** Never fails: without replicas the primary does their work. */
const replicas: HealthCheck = {
  name: 'databaseReplicas:reading',
  componentType: 'datastore',
  keep: 0,
  isWanted: ({ slots }) => slots.find(REPLICAS) !== undefined,
  async observe({ slots }) {
    const figures = slots.get(REPLICAS).figures();
    const out = figures.filter(({ state }) => state === 'lost' || state === 'foreign');
    const behind = figures.filter(({ behindBytes }) => (behindBytes ?? 0) > MAX_BEHIND_BYTES);
    return {
      status: out.length + behind.length > 0 ? 'warn' : 'pass',
      observedValue: figures.length - out.length - behind.length,
      observedUnit: 'replicas',
      ...(out.length + behind.length > 0 && {
        output: [...out, ...behind].map(({ address, state }) => `${address} is ${state}`).join('; '),
      }),
    };
  },
};

const blobStore: HealthCheck = {
  name: 'blobStore:responseTime',
  componentType: 'datastore',
  // The check writes, and a provider may charge for each request.
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

/** Never fails: a client that sends its request slowly must not be able to take the server out of service. */
const requests: HealthCheck = {
  name: 'requests:longRunning',
  componentType: 'component',
  keep: 0,
  async observe({ slots }) {
    const observedValue = slots.get(OBSERVED).requests.longerThan(LONG_RUNNING_MS);
    return { status: observedValue > 0 ? 'warn' : 'pass', observedValue, observedUnit: 'requests' };
  },
};

/** The checks of what every site needs. */
export const coreHealthChecks: readonly HealthCheck[] = [uptime, database, replicas, blobStore, disk, requests];
