import type { SettingName } from '../../core/configuration/environment/setting-names.ts';
import type { Command, CommandOption } from '../../core/kernel/command.ts';

/** Options of all commands that set a setting for this run, over the environment and the configuration file. */
const SETTING_OPTIONS: Readonly<Record<string, CommandOption & { setting: SettingName }>> = {
  config: {
    type: 'string',
    value: 'file',
    completes: 'file',
    setting: 'CANOPY_CONFIG',
    description: 'The configuration file, as CANOPY_CONFIG.',
  },
  'data-dir': {
    type: 'string',
    value: 'folder',
    completes: 'folder',
    setting: 'DATA_DIR',
    description: 'The folder of the site, as DATA_DIR.',
  },
};

const QUIET: CommandOption = {
  type: 'boolean',
  description: 'Prints only what was asked for, and errors: no report of success, no progress.',
};
const HELP: CommandOption = { type: 'boolean', description: 'Prints this text.' };

/** The options that a command has beside its own. The address of a database is not an option, because other users of the machine would see it. */
export const sharedOptions = ({ json, withoutSite }: Command): Readonly<Record<string, CommandOption>> => ({
  ...(json === undefined ? {} : { json: { type: 'boolean', description: 'Prints one JSON document for scripts.' } }),
  ...(withoutSite ? {} : SETTING_OPTIONS),
  quiet: QUIET,
  help: HELP,
});

/** All options of a command, its own first. */
export const optionsOf = (command: Command): Readonly<Record<string, CommandOption>> => ({
  ...command.options,
  ...sharedOptions(command),
});

/** The settings of a command line, by their names in the environment. */
export const settingsIn = (options: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SETTING_OPTIONS).flatMap(([name, { setting }]) => {
      const value = options[name];
      return typeof value === 'string' ? [[setting, value]] : [];
    }),
  );
