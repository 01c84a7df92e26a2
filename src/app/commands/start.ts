import { setFlagsFromString } from 'node:v8';
import type { Command } from '../../core/kernel/command.ts';
import { keepCompiledCode } from '../../lib/process/compiled-code.ts';
import { holdFirstWork } from '../../lib/process/first-work.ts';
import { serveSite } from '../serve-site.ts';

/** Milliseconds from the start until workers look for work that an earlier process has left: the first requests come before it. */
const FIRST_WORK_MS = 1000;

/** Resolves with the name of the first signal that asks the process to end. */
const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

/**
 * Serves the site and runs its jobs until a signal ends it: then it accepts no new connections, finishes running requests, releases jobs and closes
 * the database.
 */
export const startCommand: Command = {
  name: 'start',
  summary: 'serve the site (settings: see docs/settings.md)',
  description: 'Makes the site where none is. SIGTERM and SIGINT end it: requests under way end first.',
  example: 'start --data-dir ./data',
  async run({ config, open }) {
    const stopped = stopSignal();
    const kernel = await open({ create: true });
    const beginFirstWork = holdFirstWork(kernel.db);
    const { url, close } = await serveSite(kernel, config);
    const firstWork = setTimeout(() => {
      keepCompiledCode();
      setFlagsFromString(`--heap-growing-percent=${config.databaseUrl === undefined ? 50 : 100}`);
      beginFirstWork();
    }, FIRST_WORK_MS);
    try {
      process.stdout.write(`Canopy serves ${config.publicUrl ?? url}\n`);
      if (config.managePage) process.stdout.write(`It is managed in a browser at ${config.publicUrl ?? url}/@manage\n`);
      await stopped;
    } finally {
      clearTimeout(firstWork);
      await close();
      // Of a process that ends before its first work.
      keepCompiledCode();
    }
    return 0;
  },
};
