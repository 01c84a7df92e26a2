import type { Registry } from 'prom-client';
import { type Kernel, OBSERVED, OUTCOMES, REPLICAS } from '#core';
import { counter, gauge, histogram } from './read-metric.ts';
import { PROGRAM_VERSION } from './system.ts';

const REPLICA_STATES = ['reading', 'behind', 'lost', 'foreign'] as const;

/** Adds the metrics of requests and of their limited places. */
function requestMetrics(registry: Registry, { slots }: Kernel): void {
  const observed = slots.get(OBSERVED);
  const { requests } = observed;
  counter(registry, {
    name: 'canopy_requests_total',
    help: 'Requests by service and class of the status; aborted: the connection ended before the whole response was sent.',
    labels: ['service', 'status'],
    read: () =>
      [...requests.services].flatMap(([service, { outcomes }]) =>
        OUTCOMES.map((status, place) => ({ labels: { service, status }, value: outcomes[place] ?? 0 })).filter(
          ({ value }) => value > 0,
        ),
      ),
  });
  histogram(registry, {
    name: 'canopy_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    read: () => [...requests.services].map(([service, { durations }]) => ({ labels: { service }, values: durations })),
  });
  histogram(registry, {
    name: 'canopy_response_size_bytes',
    help: 'Sizes of the bodies of responses.',
    read: () => [{ labels: {}, values: requests.sizes }],
  });
  gauge(registry, {
    name: 'canopy_requests_running',
    help: 'Requests that are not done.',
    read: () => [{ value: requests.running.size }],
  });
  gauge(registry, {
    name: 'canopy_connections_open',
    help: 'Open connections of clients.',
    read: async () => [{ value: (await observed.server?.connections()) ?? 0 }],
  });
  const places = () => Object.entries(observed.server?.work.figures() ?? {});
  gauge(registry, {
    name: 'canopy_work_running',
    help: 'Requests that have a place, by kind of work.',
    labels: ['work'],
    read: () => places().map(([work, { running }]) => ({ labels: { work }, value: running })),
  });
  gauge(registry, {
    name: 'canopy_work_waiting',
    help: 'Requests that wait for a place, by kind of work.',
    labels: ['work'],
    read: () => places().map(([work, { waiting }]) => ({ labels: { work }, value: waiting })),
  });
  counter(registry, {
    name: 'canopy_requests_refused_total',
    help: 'Requests refused by a limit: the places of a kind of work, or the rate of one sender.',
    labels: ['limit'],
    read: () => [
      ...places().map(([limit, { refused }]) => ({ labels: { limit }, value: refused })),
      { labels: { limit: 'rate' }, value: requests.tooMany },
    ],
  });
}

/** Adds the metrics of the caches in memory. */
function cacheMetrics(registry: Registry, { slots }: Kernel): void {
  const caches = Object.entries(slots.get(OBSERVED).caches);
  const counted = { hits: 'Values taken from memory.', misses: 'Values that had to be made.' } as const;
  const removed = {
    invalidated: 'Values removed because one of their tags changed.',
    evicted: 'Values removed for lack of room.',
  } as const;
  for (const [part, help] of [...Object.entries(counted), ...Object.entries(removed)]) {
    if (part !== 'hits' && part !== 'misses' && part !== 'invalidated' && part !== 'evicted') continue;
    counter(registry, {
      name: `canopy_cache_${part}_total`,
      help,
      labels: ['cache'],
      read: () => caches.map(([cache, counts]) => ({ labels: { cache }, value: counts[part] })),
    });
  }
  const { warmUp } = slots.get(OBSERVED);
  counter(registry, {
    name: 'canopy_warm_up_requests_total',
    help: 'Requests that the process has sent to itself after its start: responses made, and addresses without a public response any more.',
    labels: ['outcome'],
    read: () => Object.entries(warmUp).map(([outcome, value]) => ({ labels: { outcome }, value })),
  });
  gauge(registry, {
    name: 'canopy_cache_entries',
    help: 'Values in memory.',
    labels: ['cache'],
    read: () => caches.map(([cache, counts]) => ({ labels: { cache }, value: counts.size().entries })),
  });
  gauge(registry, {
    name: 'canopy_cache_bytes',
    help: 'Estimated bytes of the values in memory.',
    labels: ['cache'],
    read: () => caches.map(([cache, counts]) => ({ labels: { cache }, value: counts.size().bytes })),
  });
}

/** Adds the metrics of the connections to the database, its statements, and its replicas. */
function databaseMetrics(registry: Registry, { db, slots }: Kernel): void {
  gauge(registry, {
    name: 'canopy_database_connections',
    help: 'Connections of the process: most it may have, used now, and users that wait for one.',
    labels: ['state'],
    read: () => Object.entries(db.load().connections).map(([state, value]) => ({ labels: { state }, value })),
  });
  counter(registry, {
    name: 'canopy_database_statements_total',
    help: 'Statements sent to the database and its replicas.',
    read: () => [{ value: db.load().statements.sent }],
  });
  counter(registry, {
    name: 'canopy_database_failures_total',
    help: 'Round trips to the database with a statement that failed.',
    read: () => [{ value: db.load().statements.failures }],
  });
  histogram(registry, {
    name: 'canopy_database_round_trip_seconds',
    help: 'Time of one round trip to the database, with one statement or several.',
    read: () => [{ labels: {}, values: db.load().statements.durations }],
  });
  const replicas = () => slots.find(REPLICAS)?.figures() ?? [];
  gauge(registry, {
    name: 'canopy_replica_behind_bytes',
    help: 'Bytes of the log of writes that a replica lacks, where that is known.',
    labels: ['replica'],
    read: () =>
      replicas().flatMap(({ address: replica, behindBytes }) =>
        behindBytes === null ? [] : [{ labels: { replica }, value: behindBytes }],
      ),
  });
  gauge(registry, {
    name: 'canopy_replica_state',
    help: '1 for the state that a replica is in.',
    labels: ['replica', 'state'],
    read: () =>
      replicas().flatMap(({ address: replica, state: present }) =>
        REPLICA_STATES.map((state) => ({ labels: { replica, state }, value: state === present ? 1 : 0 })),
      ),
  });
  counter(registry, {
    name: 'canopy_replica_requests_total',
    help: 'Requests that a replica answered, and those that the primary had to repeat.',
    labels: ['replica', 'outcome'],
    read: () =>
      replicas().flatMap(({ address: replica, reads, repeated }) => [
        { labels: { replica, outcome: 'read' }, value: reads },
        { labels: { replica, outcome: 'repeated' }, value: repeated },
      ]),
  });
}

/** Adds the metrics that are numbers in the memory of the process: reading them needs no statement. */
export function serverMetrics(registry: Registry, kernel: Kernel): void {
  gauge(registry, {
    name: 'canopy_info',
    help: 'Versions of the program and of Node.js, and the engine of the database.',
    labels: ['version', 'node', 'engine'],
    read: () => [
      {
        labels: { version: kernel.slots.get(PROGRAM_VERSION), node: process.version, engine: kernel.db.engine },
        value: 1,
      },
    ],
  });
  requestMetrics(registry, kernel);
  cacheMetrics(registry, kernel);
  databaseMetrics(registry, kernel);
  const { mails } = kernel.slots.get(OBSERVED);
  counter(registry, {
    name: 'canopy_mails_total',
    help: 'Mails sent by the process, and attempts that failed.',
    labels: ['outcome'],
    read: () => [
      { labels: { outcome: 'sent' }, value: mails.sent },
      { labels: { outcome: 'failed' }, value: mails.failures },
    ],
  });
}
