import type { AddressInfo } from 'node:net';
import type { Log } from '../lib/log.ts';
import type { Settings } from '../site/settings.ts';
import { announcePassword } from './announce-password.ts';
import { createServer } from './create-server.ts';
import { openSite } from './open-site.ts';

/** Resolves with the name of the first signal that asks the process to end. */
const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

/**
 * Serves the site until a signal ends it: no new connections are taken, requests under way end, the
 * database closes. Answers the exit code.
 */
export async function serve(settings: Settings, log: Log): Promise<number> {
  const stopped = stopSignal();
  const site = await openSite(settings, log);
  announcePassword(site);
  const { app, close } = await createServer(site.kernel);
  try {
    await app.listen({ port: settings.port, host: settings.host });
    const { address, port } = app.server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    process.stdout.write(`Canopy serves ${settings.publicUrl ?? `http://${host}:${port}`}\n`);
    await stopped;
  } finally {
    await close();
    await site.close();
  }
  return 0;
}
