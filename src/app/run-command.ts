import { parseArgs } from 'node:util';
import { createLog } from '../lib/log.ts';
import { readSettings, SettingsError } from '../site/settings.ts';
import { DatabaseUnavailable } from '../storage/database-unavailable.ts';
import { importCommand } from './import-command.ts';
import { serve } from './serve.ts';

const USAGE = `canopy: a content server

  canopy start                    serve the site (settings: see docs/settings.md)
  canopy import <dir> [--dry-run] import an export of a Plone site
  canopy --help                   this text
`;

/** A command line that cannot be understood. */
class UsageError extends Error {}

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, ...operands] = positionals;
  if (values.help || command === undefined || command === 'help') {
    process.stdout.write(USAGE);
    return values.help || command === 'help' ? 0 : 2;
  }
  const settings = readSettings(environment);
  const log = createLog();
  if (command === 'start' && operands.length === 0) return serve(settings, log);
  if (command === 'import' && operands.length === 1 && operands[0] !== undefined) {
    return importCommand(settings, log, { directory: operands[0], dryRun: values['dry-run'] ?? false });
  }
  throw new UsageError(`Unknown command: ${positionals.join(' ')}. See canopy --help.`);
}

/**
 * Runs the command line and answers the exit code: 0 done, 1 failed, 2 not understood. What people can mend is one line
 * on standard error, without a stack.
 */
export async function runCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await run(args, environment);
  } catch (error) {
    const failed = error instanceof SettingsError || error instanceof DatabaseUnavailable || isListenError(error);
    if (!failed && !isUsageError(error)) throw error;
    process.stderr.write(`canopy: ${error instanceof Error ? error.message : String(error)}\n`);
    return failed ? 1 : 2;
  }
}

/** The command or an option is unknown, or an option lacks its value. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

/** The port is taken, the address is not ours, or we may not have it. */
const isListenError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'listen';
