import type { AddressInfo } from 'node:net';
import { loadAccount } from '../auth/accounts.ts';
import { type JobWorker, startJobWorker } from '../features/jobs/worker.ts';
import type { Log } from '../lib/process.ts';
import type { Config } from '../site/config.ts';
import { announcePassword } from './announce-password.ts';
import { createServer } from './create-server.ts';
import { openSite } from './open-site.ts';

/** Resolves with the name of the first signal that asks the process to end. */
const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

/**
 * Serves the site and runs its jobs until a signal ends it: no new connections are taken, requests under way end, jobs
 * are given back, the database closes. Answers the exit code.
 */
export async function serve(settings: Config, log: Log): Promise<number> {
  const stopped = stopSignal();
  const site = await openSite(settings, log);
  announcePassword(site);
  const { kernel } = site;
  const { app, close } = await createServer(kernel);
  let jobs: JobWorker | undefined;
  try {
    await app.listen({ port: settings.port, host: settings.host });
    jobs = await startJobWorker(kernel, { findCaller: async (id) => (await loadAccount(kernel.db, id))?.caller });
    const { address, port } = app.server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    process.stdout.write(`Canopy serves ${settings.publicUrl ?? `http://${host}:${port}`}\n`);
    await stopped;
  } finally {
    await Promise.all([jobs?.close(), close()]);
    await site.close();
  }
  return 0;
}
