import { parseArgs } from 'node:util';
import type { Command } from '../kernel/command.ts';
import { ClientError } from '../lib/errors.ts';
import { createLog } from '../lib/process.ts';
import type { Feature } from '../services/feature.ts';
import { type ConfigDefaults, ConfigError, parseConfig } from '../site/config.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { loadConfigFile } from './config-file.ts';
import { FEATURES } from './features.ts';
import { type OpenSite, openSite } from './open-site.ts';

/** A command line that cannot be understood. */
class UsageError extends Error {}

const commandsOf = (features: readonly Feature[]): Command[] => features.flatMap(({ commands }) => commands ?? []);

const callOf = ({ name, usage }: Command): string => (usage === undefined ? name : `${name} ${usage}`);

/** The help: a line for each command, the calls in one column as long as they are short enough. */
function helpOf(commands: readonly Command[]): string {
  const lines = [...commands.map((command) => [callOf(command), command.summary]), ['--help', 'this text']];
  const width = Math.max(...lines.map(([call = '']) => call.length));
  return `canopy: a content server\n\n${lines.map(([call = '', summary]) => `  canopy ${call.padEnd(width)}  ${summary}\n`).join('')}`;
}

/** Operands that a command needs: the parts of its usage that begin with an angle bracket. */
const operandCount = ({ usage = '' }: Command): number =>
  usage.split(' ').filter((part) => part.startsWith('<')).length;

/**
 * Prints the password that the start made up for the first Manager, if it did. To be called before anything else can
 * fail: it is known to nobody else and never shown again.
 */
function announcePassword({ password }: OpenSite): void {
  if (password === undefined) return;
  process.stdout.write(`The password of admin is ${password}\nIt is shown this once: keep it.\n`);
}

/** Runs a command with its arguments, and closes the site that it has opened. */
async function runOne(
  command: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  file: ConfigDefaults & { features: readonly Feature[] },
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...command.options },
  });
  if (positionals.length !== operandCount(command))
    throw new UsageError(`Unknown command: ${[command.name, ...positionals].join(' ')}. See canopy --help.`);
  const config = parseConfig(environment, file);
  const log = createLog();
  let opened: OpenSite | undefined;
  const open = async () => {
    opened ??= await openSite(config, log, file.features);
    announcePassword(opened);
    return opened.kernel;
  };
  try {
    return await command.run({ config, log, open }, { operands: positionals, options: values });
  } finally {
    await opened?.close();
  }
}

const isHelp = (arg: string | undefined): boolean =>
  arg === undefined || arg === 'help' || arg === '--help' || arg === '-h';

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = args;
  const own = commandsOf(FEATURES);
  const alone = own.find((command) => command.name === name && command.withoutSite);
  if (alone) return runOne(alone, rest, environment, { features: [] });
  const file = await loadConfigFile(environment.CANOPY_CONFIG);
  const commands = [...own, ...commandsOf(file.features)];
  if (isHelp(name) || rest.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(helpOf(commands));
    return name === undefined ? 2 : 0;
  }
  const command = commands.find((one) => one.name === name);
  if (!command) throw new UsageError(`Unknown command: ${args.join(' ')}. See canopy --help.`);
  return runOne(command, rest, environment, file);
}

/**
 * Runs the command line and returns the exit code: 0 done, 1 failed, 2 not understood. What people can mend is one line
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
