import { vi } from 'vitest';
import { openSite } from '../../src/app/open-site.ts';
import { printReport, runCommand } from '../../src/app/run-command.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import type { Command, CommandArguments } from '../../src/core/kernel/command.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { noProgress } from '../../src/lib/process/progress.ts';

/** Runs a command line in this process, and returns its exit code and output. */
export async function runCanopy(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ];
  try {
    const code = await runCommand(args, environment);
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs a command that reports on an open site, and returns its exit code and output. */
export async function runCommandOn(
  kernel: Kernel,
  command: Command | undefined,
  { operands = [], options = {} }: Partial<CommandArguments> = {},
): Promise<{ code: number; out: string }> {
  if (command?.json === undefined) throw new Error('There is no such command that reports');
  const context = {
    config: kernel.config,
    log: kernel.log,
    features: [],
    loadPackage: async () => undefined,
    open: async () => kernel,
    progress: () => noProgress,
  };
  const out: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  try {
    const report = await command.run(context, { operands, options });
    return { code: printReport(report, options), out: out.join('') };
  } finally {
    spy.mockRestore();
  }
}

/** Makes the site of these settings, as the first start does it. */
export async function makeSite(environment: Record<string, string>): Promise<void> {
  const { close } = await openSite(parseConfig(environment), createLog('silent'), { create: true });
  await close();
}
