import { parseArgs } from 'node:util';
import { type ConfigDefaults, ConfigError, parseConfig } from '../core/configuration/environment/config.ts';
import type { Command } from '../core/kernel/command.ts';
import type { Feature } from '../core/services/feature.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { loadProgramVersion } from '../features/monitoring/system.ts';
import { ClientError } from '../lib/errors.ts';
import { createLog } from '../lib/process/process.ts';
import { loadConfigFile } from './config-file.ts';
import { FEATURES } from './features.ts';
import { type OpenSite, openSite } from './open-site.ts';

/** A command line that cannot be understood. */
class UsageError extends Error {}

const commandsOf = (features: readonly Feature[]): Command[] => features.flatMap(({ commands }) => commands ?? []);

/** Columns of a terminal that the help fits into. */
const HELP_WIDTH = 80;

/** Words in lines of a terminal, each line after the first one with `indent` spaces before it. */
function wrap(words: readonly string[], indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    } else line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** The parts of a usage: each operand or option with what belongs to it. */
const partsOf = (usage = ''): string[] => usage.match(/\[[^\]]*\]|(?:<[^>]*>|[^\s<[])+/g) ?? [];

const summaryOf = (summary: string): string => `${wrap(['     ', ...summary.split(' ')], 6)}\n`;

const helpOfCommand = ({ name, usage, summary }: Command): string =>
  `${wrap(['  canopy', name, ...partsOf(usage)], 6)}\n${summaryOf(summary)}`;

/** The help: each command with its usage and what it does. */
const helpOf = (commands: readonly Command[]): string =>
  `canopy: a content server\n\n${[
    ...commands.map(helpOfCommand),
    `  canopy <command> --help\n${summaryOf('this text for one command')}`,
    `  canopy --help\n${summaryOf('this text')}`,
    `  canopy --version\n${summaryOf('the version of the program')}`,
  ].join('')}`;

/** Operands that a command needs: the parts of its usage that begin with an angle bracket. */
const operandsOf = ({ usage }: Command): string[] => partsOf(usage).filter((part) => part.startsWith('<'));

/** Throws UsageError for operands that are missing or too many. */
function checkOperands(command: Command, given: readonly string[]): void {
  const wanted = operandsOf(command);
  if (given.length === wanted.length) return;
  const problem =
    given.length < wanted.length
      ? `Missing: ${wanted.slice(given.length).join(' ')}`
      : `"${given[wanted.length]}" is too much`;
  const usage = ['canopy', command.name, ...wanted].join(' ');
  throw new UsageError(`${problem}. Usage: ${usage}. See canopy ${command.name} --help.`);
}

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
  checkOperands(command, positionals);
  const config = parseConfig(environment, file);
  const log = createLog();
  let opened: OpenSite | undefined;
  const open = async ({ create = false, repair = false } = {}) => {
    opened ??= await openSite(config, log, { features: file.features, create, repair });
    announcePassword(opened);
    return opened.kernel;
  };
  try {
    return await command.run(
      { config, log, features: [...FEATURES, ...file.features], open },
      { operands: positionals, options: values },
    );
  } finally {
    await opened?.close();
  }
}

const isHelp = (arg: string | undefined): boolean => arg === '--help' || arg === '-h';

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v' || name === 'version') {
    process.stdout.write(`canopy ${loadProgramVersion()}\n`);
    return 0;
  }
  const own = commandsOf(FEATURES);
  const alone = own.find((command) => command.name === name && command.withoutSite);
  const file = alone ? undefined : await loadConfigFile(environment.CANOPY_CONFIG);
  const commands = file ? [...own, ...commandsOf(file.features)] : own;
  const command = commands.find((one) => one.name === name);
  if (name === undefined || name === 'help' || isHelp(name)) {
    process.stdout.write(helpOf(commands));
    return name === undefined ? 2 : 0;
  }
  if (!command) throw new UsageError(`Unknown command: ${name}. See canopy --help.`);
  if (rest.some(isHelp)) {
    process.stdout.write(helpOfCommand(command));
    return 0;
  }
  return runOne(command, rest, environment, file ?? { features: [] });
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
