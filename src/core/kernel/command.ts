import type { ParseArgsConfig } from 'node:util';
import type { Log } from '../../lib/process/process.ts';
import type { Config } from '../configuration/environment/config.ts';
import type { Kernel } from './kernel.ts';
import type { SiteTable } from './site-tables.ts';

/** The parts of a feature that a command needs before a site is open. */
type SchemaPart = { name: string; migrations?: string | URL; tables?: readonly SiteTable[] };

/** Context of a command. */
export type CommandContext = {
  config: Config;
  log: Log;
  /** All features: those of the program and of the configuration file. */
  features: readonly SchemaPart[];
  /**
   * Opens the site of the settings: the database with its schema up to date, and the site in it. Without one it throws ConfigError
   * and leaves the place as it is; with `create` it makes the site. With `repair` it may be out of order, because the feature of an
   * add-on is gone. The site is closed when the command has run. Throws DatabaseUnavailable, ConfigError.
   */
  open(options?: { create?: boolean; repair?: boolean }): Promise<Kernel>;
};

/** Arguments behind the name of a command. */
export type CommandArguments = {
  /** As many as the usage has in angle brackets. */
  operands: readonly string[];
  options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
};

/** A command of the command line: `canopy <name> …`. */
export type Command = {
  name: string;
  /** Arguments for people: `<dir> [--dry-run]`. Each part in angle brackets is a required operand. */
  usage?: string;
  /** Summary in one line. */
  summary: string;
  /** Its options, in the form of `parseArgs` of `node:util`. */
  options?: NonNullable<ParseArgsConfig['options']>;
  /** It has nothing to do with a site: no configuration file is loaded for it. */
  withoutSite?: true;
  /**
   * Does the work; returns the exit code: 0 done, 1 failed, 3 done where the site kept something that was to change. Whatever it throws of `ClientError` and `ConfigError` is one line
   * for people.
   */
  run(context: CommandContext, given: CommandArguments): Promise<number>;
};
