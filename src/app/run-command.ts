import { parseArgs } from 'node:util';
import { ClientError } from '../lib/errors.ts';
import { createLog } from '../lib/process.ts';
import { ConfigError, parseConfig } from '../site/config.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { collectBlobsCommand } from './collect-blobs-command.ts';
import { importCommand } from './import-command.ts';
import { reindexCommand } from './reindex-command.ts';
import { resetPasswordCommand } from './reset-password-command.ts';
import { rotateKeysCommand } from './rotate-keys-command.ts';
import { serve } from './serve.ts';
import { setCommand } from './set-command.ts';

const USAGE = `canopy: a content server

  canopy start                    serve the site (settings: see docs/settings.md)
  canopy import <dir> [--dry-run] import an export of a Plone site
  canopy reindex                  build the catalog anew, also while the site is in use (PostgreSQL)
  canopy collect-blobs [--dry-run] remove files that nothing refers to, also while the site is in use (PostgreSQL)
  canopy set <panel>.<name> <value>  set a value of the site's settings, such as security.store_tokens true
  canopy reset-password <account> give an account a new password and print it
  canopy rotate-keys [--prune]    sign tokens with a new key; --prune makes all older tokens worthless
  canopy --help                   this text
`;

/** A command line that cannot be understood. */
class UsageError extends Error {}

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, prune: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, ...operands] = positionals;
  if (values.help || command === undefined || command === 'help') {
    process.stdout.write(USAGE);
    return values.help || command === 'help' ? 0 : 2;
  }
  const settings = parseConfig(environment);
  const log = createLog();
  if (command === 'start' && operands.length === 0) return serve(settings, log);
  if (command === 'import' && operands.length === 1 && operands[0] !== undefined) {
    return importCommand(settings, log, { directory: operands[0], dryRun: values['dry-run'] ?? false });
  }
  if (command === 'reindex' && operands.length === 0) return reindexCommand(settings, log);
  if (command === 'collect-blobs' && operands.length === 0)
    return collectBlobsCommand(settings, log, { dryRun: values['dry-run'] ?? false });
  const [first, second] = operands;
  if (command === 'set' && operands.length === 2 && first !== undefined && second !== undefined) {
    return setCommand(settings, log, { name: first, value: second });
  }
  if (command === 'reset-password' && operands.length === 1 && first !== undefined) {
    return resetPasswordCommand(settings, log, { account: first });
  }
  if (command === 'rotate-keys' && operands.length === 0)
    return rotateKeysCommand(settings, log, { prune: values.prune ?? false });
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
    const failed =
      error instanceof ConfigError ||
      error instanceof DatabaseUnavailable ||
      error instanceof ClientError ||
      isListenError(error);
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
