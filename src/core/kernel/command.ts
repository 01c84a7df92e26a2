import type { SiteReader } from '@canopy-server/site-reader';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Log } from '../../lib/process/process.ts';
import type { Progress } from '../../lib/process/progress.ts';
import type { Config } from '../configuration/environment/config.ts';
import type { Kernel } from './kernel.ts';
import type { SiteTable } from './site-tables.ts';

/** The parts of a feature that a command needs before a site is open. */
type FeaturePart = {
  name: string;
  migrations?: string | URL;
  tables?: readonly SiteTable[];
  readers?: readonly SiteReader[];
};

/** Exit codes of all commands. A command that is used in a wrong way ends with 2 before it runs, see `UsageError`. */
export const EXIT = { done: 0, failed: 1, usage: 2, findings: 3 } as const;

/** The error for a wrong command line: its message is one line for people, the exit code is 2. */
export class UsageError extends Error {}

/**
 * The place of a site: the folder of an embedded database, or the address of a database on a server. With `ownFiles` its files are in the folder,
 * whatever the settings say.
 */
export type SitePlace = { dataDir: string; ownFiles?: true } | { databaseUrl: string };

/** Context of a command. */
export type CommandContext = {
  config: Config;
  log: Log;
  /** All features: those of the program and of the configuration file. */
  features: readonly FeaturePart[];
  /**
   * Imports the default export of a package that is installed in the working folder or with the server, or that lies in a folder (`./reader`).
   * Undefined for a package that is not installed. Throws ConfigError for a package that cannot be loaded.
   */
  loadPackage(name: string): Promise<unknown>;
  /**
   * Opens the site of the settings: the database with its schema up to date, and the site in it. Without a site it throws ConfigError and leaves the
   * place unchanged; with `create` it makes the site. With `repair` the site may be broken, because the feature of an add-on is missing. `at` names
   * another site, for which the other settings count as well. Sites are closed when the command has run. Throws DatabaseUnavailable, ConfigError.
   */
  open(options?: { create?: boolean; repair?: boolean; at?: SitePlace }): Promise<Kernel>;
  /** Begins to show the progress of long work, on a terminal and without `--quiet`. A total of 0 means unknown. */
  progress(total: number, title: string): Progress;
};

/** Arguments behind the name of a command. */
export type CommandArguments = {
  /** The declared operands; an optional operand that is not given is absent. */
  operands: readonly string[];
  options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
};

/** Kind of the names that the shell completes; `file` includes folders. */
export type CompletedNames = 'file' | 'folder';

/** An argument without a name. */
export type CommandOperand = {
  /** Its name in the usage, such as `folder`. */
  name: string;
  description: string;
  /** The only values, if there are few. */
  choices?: readonly string[];
  completes?: CompletedNames;
};

/** An option, in the form of `parseArgs` of `node:util`, with the texts for its documentation. */
export type CommandOption = {
  type: 'boolean' | 'string';
  description: string;
  /** The name of the value of a text option in the usage, such as `file`. */
  value?: string;
  default?: string;
  multiple?: true;
  choices?: readonly string[];
  completes?: CompletedNames;
};

/** The result of a command that reports something. */
export type CommandReport = {
  /** 0 unless given. */
  code?: (typeof EXIT)[keyof typeof EXIT];
  /** The report for people. With `--quiet` it is printed only when the code is not 0. */
  lines: readonly string[];
  /** The requested text, such as a list or a password, which `--quiet` prints, too. */
  result?: readonly string[];
  /** The report as one document, which `--json` prints instead. */
  data: JsonObject;
};

type Declaration = {
  /** Its name behind `canopy`; with two words the command belongs to a group, such as `user add`. */
  name: string;
  /** Its purpose, in one line that begins with a small letter. */
  summary: string;
  /** More about it, in whole sentences. */
  description?: string;
  operands?: readonly CommandOperand[];
  options?: Readonly<Record<string, CommandOption>>;
  /** An example of its use, as typed behind `canopy`. */
  example: string;
  /** The meaning of exit codes in this command, if it is more specific than the general meaning. */
  exits?: Readonly<Partial<Record<0 | 1 | 3, string>>>;
  /** The command does not use a site, so no configuration file is loaded for it. */
  withoutSite?: true;
};

/**
 * A command of the command line: `canopy <name> …`. Help, reference, completion and the checks of its arguments follow from its declaration. All
 * commands have `--help`, `--quiet` and the options of the site; those with `json` have `--json`.
 */
export type Command = Declaration &
  (
    | {
        /** The members of the document that `--json` prints. */
        json: string;
        /** Does the work. The message of a ClientError, ConfigError or UsageError is printed as one line for people. */
        run(context: CommandContext, given: CommandArguments): Promise<CommandReport>;
      }
    | {
        json?: never;
        /** Does the work, prints by itself, and returns the exit code. Its errors are printed as those of a command with `json`. */
        run(context: CommandContext, given: CommandArguments): Promise<number>;
      }
  );
