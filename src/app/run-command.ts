import { parseArgs } from 'node:util';
import { type Config, type ConfigDefaults, parseConfig } from '../core/configuration/environment/config.ts';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandReport,
  EXIT,
  type SitePlace,
  UsageError,
} from '../core/kernel/command.ts';
import type { Feature } from '../core/services/feature.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { loadProgramVersion } from '../features/monitoring/system.ts';
import { ClientError, messageOf } from '../lib/errors.ts';
import { createLog } from '../lib/process/process.ts';
import { noProgress, progress } from '../lib/process/progress.ts';
import { findCommand, incompleteCommand } from './command-line/find-command.ts';
import { helpOf, helpOfCommand, helpOfGroup } from './command-line/help.ts';
import { asksForHelp, parseArguments } from './command-line/parse-arguments.ts';
import { settingsIn } from './command-line/shared-options.ts';
import { completionCommand } from './commands/completion.ts';
import { loadConfigFile } from './config-file.ts';
import { FEATURES } from './features.ts';
import { importInstalled } from './import-package.ts';
import { type OpenSite, openSite } from './open-site.ts';

/** The commands of features, and the command `completion`, which needs all of them. */
export function commandsOf(features: readonly Feature[]): Command[] {
  const commands = features.flatMap((feature) => feature.commands ?? []);
  return [...commands, completionCommand(() => commandsOf(features))];
}

/**
 * Prints the password that the start made up for the first Manager, if it did. To be called before anything else can fail, because the password is
 * shown only here. It is printed as a diagnostic if the command prints a document.
 */
function announcePassword({ password, linkSecret, kernel }: OpenSite, isDocument: boolean): void {
  if (password === undefined) return;
  const stream = isDocument ? process.stderr : process.stdout;
  stream.write(`The password of admin is ${password}\nIt is shown this once: keep it.\n`);
  if (linkSecret === undefined) return;
  stream.write(`Or choose one in a browser, within a day: ${siteUrl(kernel.config)}/@manage/welcome#${linkSecret}\n`);
}

/** The address of the site for a browser on this machine, as far as it is known from the settings: a free port is chosen later. */
function siteUrl({ publicUrl, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port === 0 ? '<port>' : port}`;
}

const print = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

/** Prints the report of a command in the requested form, and returns the exit code. */
export function printReport(
  { code = EXIT.done, lines, result = [], data }: CommandReport,
  { json, quiet }: CommandArguments['options'],
): number {
  if (json === true) print([JSON.stringify(data, null, 2)]);
  else print(quiet === true && code === EXIT.done ? result : [...lines, ...result]);
  return code;
}

/** The config of a site at another place: with its database, and with its files if they are in a folder. */
function configAt(config: Config, at: SitePlace | undefined): Config {
  if (at === undefined) return config;
  const elsewhere = { ...config, databaseDirectUrl: undefined };
  if ('databaseUrl' in at) return { ...elsewhere, databaseUrl: at.databaseUrl };
  const { dataDir, ownFiles = false } = at;
  return { ...elsewhere, databaseUrl: undefined, dataDir, ...(ownFiles && { s3: undefined }) };
}

/** Runs a command with its arguments, and closes the sites that it has opened. */
async function runOne(
  command: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  file: ConfigDefaults & { features: readonly Feature[] },
): Promise<number> {
  const given = parseArguments(command, args);
  const { json, quiet } = given.options;
  const config = parseConfig({ ...environment, ...settingsIn(given.options) }, file);
  const log = createLog(quiet === true ? 'error' : 'info');
  const opened = new Map<string, OpenSite>();
  const context: CommandContext = {
    config,
    log,
    features: [...FEATURES, ...file.features],
    loadPackage: (name) => importInstalled(name, process.cwd()),
    async open({ create = false, repair = false, at } = {}) {
      const key = JSON.stringify(at ?? '');
      const known = opened.get(key);
      if (known) return known.kernel;
      const site = await openSite(configAt(config, at), log, { features: file.features, create, repair });
      opened.set(key, site);
      if (!at) announcePassword(site, json === true);
      return site.kernel;
    },
    progress: (total, title) =>
      quiet === true || process.stderr.isTTY !== true ? noProgress : progress(total, title, process.stderr),
  };
  try {
    if (command.json === undefined) return await command.run(context, given);
    return printReport(await command.run(context, given), given.options);
  } finally {
    for (const site of [...opened.values()].reverse()) await site.close();
  }
}

/** The configuration file that the arguments name, or the environment. */
function namedConfigFile(args: readonly string[], { CANOPY_CONFIG }: NodeJS.ProcessEnv): string | undefined {
  const { values } = parseArgs({ args: [...args], options: { config: { type: 'string' } }, strict: false });
  return typeof values.config === 'string' ? values.config : CANOPY_CONFIG;
}

/** Loads the configuration file, except for a command of the program that needs no site. */
async function loadFile(words: readonly string[], environment: NodeJS.ProcessEnv) {
  const isAlone = FEATURES.some(({ commands = [] }) =>
    commands.some(({ name, withoutSite }) => withoutSite && name === words[0]),
  );
  return isAlone ? undefined : loadConfigFile(namedConfigFile(words, environment));
}

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [first] = args;
  if (first === '--version' || first === '-v' || first === 'version') {
    print([`canopy ${loadProgramVersion()}`]);
    return EXIT.done;
  }
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  const words = isHelp ? args.slice(1) : args;
  const file = await loadFile(words, environment);
  const commands = commandsOf([...FEATURES, ...(file?.features ?? [])]);
  if (words[0] === undefined || (isHelp && words[0].startsWith('-'))) {
    process.stdout.write(helpOf(commands));
    return isHelp ? EXIT.done : EXIT.usage;
  }
  const found = findCommand(commands, words);
  if (isHelp || asksForHelp(words)) {
    process.stdout.write('group' in found ? helpOfGroup(found.group) : helpOfCommand(found.command));
    return EXIT.done;
  }
  if ('group' in found) throw incompleteCommand(found.group);
  return runOne(found.command, found.rest, environment, file ?? { features: [] });
}

/** Runs the command line and returns the exit code, one of `EXIT`. An error that users can fix is one line on standard error, without a stack. */
export async function runCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await run(args, environment);
  } catch (error) {
    const failed =
      error instanceof ConfigError ||
      error instanceof DatabaseUnavailable ||
      error instanceof ClientError ||
      isListenError(error);
    if (!failed && !(error instanceof UsageError)) throw error;
    process.stderr.write(`canopy: ${messageOf(error)}\n`);
    return failed ? EXIT.failed : EXIT.usage;
  }
}

/** True if the port is taken, or the address is not available or not permitted. */
const isListenError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'listen';
