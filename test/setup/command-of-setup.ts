import { expect, vi } from 'vitest';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { setupCommand } from '../../src/features/setup/command.ts';
import type { Json, TestSite } from '../support/site.ts';

/** Runs `canopy setup` on a site. Returns what it prints, once it has ended with `code`. */
export async function runSetup(
  { kernel }: { kernel: Kernel },
  operands: string[],
  { options = {}, code = 0 }: { options?: Json; code?: number } = {},
): Promise<string> {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const context = { config: kernel.config, log: kernel.log, features: [], open: async () => kernel };
    const ended = await setupCommand.run(context, { operands, options });
    expect([ended, printed.join('')]).toEqual([code, printed.join('')]);
  } finally {
    write.mockRestore();
  }
  return printed.join('');
}

/** Sends a request that must be answered without an error. */
export async function done(site: TestSite, method: string, path: string, json?: Json): Promise<Json> {
  const { status, text, body } = await site.request(method, path, json === undefined ? {} : { json });
  if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
  return body;
}
