import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import type { BackgroundWork } from '#core';
import { counter, gauge } from './read-metric.ts';

/** Milliseconds between two samples of the delay of the event loop. */
const LOOK_MS = 20;
const NANOSECONDS = 1e9;

/** Adds the metrics of the process under the names that dashboards for Node.js expect. Closing the returned work stops the samples. */
export function processMetrics(registry: Registry): BackgroundWork {
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  gauge(registry, {
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was since the last scrape.',
    labels: ['quantile'],
    read() {
      const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - LOOK_MS / 1000);
      const samples = [0.5, 0.9, 0.99].map((quantile) => ({
        labels: { quantile: String(quantile) },
        value: late(delay.percentile(quantile * 100)),
      }));
      const max = { labels: { quantile: '1' }, value: late(delay.max) };
      delay.reset();
      return [...samples, max];
    },
  });
  gauge(registry, {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => [{ value: process.memoryUsage.rss() }],
  });
  gauge(registry, {
    name: 'nodejs_memory_bytes',
    help: 'Memory by its use: the heap, what of it is used, and memory outside of it.',
    labels: ['use'],
    read() {
      const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
      return Object.entries({ heap_total: heapTotal, heap_used: heapUsed, external, array_buffers: arrayBuffers }).map(
        ([use, value]) => ({ labels: { use }, value }),
      );
    },
  });
  counter(registry, {
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process.',
    labels: ['mode'],
    read() {
      const { user, system } = process.cpuUsage();
      return [
        { labels: { mode: 'user' }, value: user / 1e6 },
        { labels: { mode: 'system' }, value: system / 1e6 },
      ];
    },
  });
  gauge(registry, {
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    read: () => [{ value: Math.round(Date.now() / 1000 - process.uptime()) }],
  });
  return {
    async close() {
      delay.disable();
    },
  };
}
