import type { AddressInfo } from 'node:net';
import type { Server } from '../core/http/request-path.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import { loadAccount } from '../core/people/accounts.ts';
import { type JobWorker, startJobWorker } from '../features/jobs/worker.ts';
import { createServer, type Watch } from './create-server.ts';

/** A running site. */
export type ServedSite = {
  /** Its address, without a slash at the end. */
  url: string;
  server: Server;
  /** Stops accepting connections, finishes running requests and releases jobs. The kernel stays open. */
  close(): Promise<void>;
};

/**
 * Serves a site at an address (port 0: a free one) and runs its jobs, unless `jobs` is false. Throws when the address is not available. Tests watch
 * it by `onResponse` and `onUnwatched`.
 */
export async function serveSite(
  kernel: Kernel,
  { host, port, jobs = true, ...watch }: { host: string; port: number; jobs?: boolean } & Watch,
): Promise<ServedSite> {
  const { app, server, close } = await createServer(kernel, watch);
  let worker: JobWorker | undefined;
  const closeAll = async (): Promise<void> => {
    await Promise.all([worker?.close(), close()]);
  };
  try {
    await app.listen({ port, host });
    if (jobs)
      worker = await startJobWorker(kernel, { findCaller: async (id) => (await loadAccount(kernel.db, id))?.caller });
    const bound = app.server.address() as AddressInfo;
    const name = bound.address.includes(':') ? `[${bound.address}]` : bound.address;
    return { url: `http://${name}:${bound.port}`, server, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
