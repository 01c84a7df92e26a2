import { expect } from 'vitest';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { setupCommands } from '../../src/features/setup/command.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import type { Json, TestSite } from '../support/site.ts';

/** Runs `canopy setup` on a site. Returns what it prints, once it has ended with `code`. */
export async function runSetup(
  { kernel }: { kernel: Kernel },
  [direction = '', ...operands]: string[],
  { options = {}, code = 0 }: { options?: Json; code?: number } = {},
): Promise<string> {
  const command = setupCommands.find(({ name }) => name === `setup ${direction}`);
  const ended = await runCommandOn(kernel, command, { operands, options });
  expect([ended.code, ended.out]).toEqual([code, ended.out]);
  return ended.out;
}

/** Sends a request that must be answered without an error. */
export async function done(site: TestSite, method: string, path: string, json?: Json): Promise<Json> {
  const { status, text, body } = await site.request(method, path, json === undefined ? {} : { json });
  if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
  return body;
}
