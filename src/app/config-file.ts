import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, SETTING_NAMES, type SettingName } from '../core/configuration/environment/setting-names.ts';
import { allProfiles, profilesIn } from '../core/configuration/profiles/profile.ts';
import { checkFeature, isNamedFeature } from '../core/services/check-feature.ts';
import type { Feature } from '../core/services/feature.ts';
import { messageOf } from '../lib/errors.ts';
import { isJsonObject } from '../lib/json-object.ts';
import { folderPath } from '../lib/process/process.ts';
import { importFrom, locateFeature } from './import-package.ts';

/**
 * The default export of a site's configuration file, `canopy.config.ts`, `.mts`, `.mjs` or `.js`. Paths are relative to the folder of
 * the file.
 */
export type CanopyConfig = {
  /**
   * Features beside those of the program, in this order: objects, or names or folders of packages that export one. A package that exports a function
   * of options is named with its options: `['canopy-addon-shelf', { shelves: 3 }]`.
   */
  features?: readonly (Feature | string | readonly [name: string, options: object])[];
  /** Folders of profiles for new sites: the folder of one profile, or of several. `PROFILE` names a profile by its folder. */
  profiles?: readonly (string | URL)[];
  /** Values of settings (docs/settings.md) that the environment does not have. */
  settings?: Partial<Record<Exclude<SettingName, 'CANOPY_CONFIG'>, string | number>>;
};

/** A configuration file, loaded. */
export type ConfigFile = {
  features: readonly Feature[];
  profiles: ReadonlyMap<string, string>;
  settings: Partial<Record<SettingName, string>>;
};

/** Checks a configuration against its type and returns it unchanged. */
export const defineConfig = (config: CanopyConfig): CanopyConfig => config;

const FILE_NAMES = ['canopy.config.ts', 'canopy.config.mts', 'canopy.config.mjs', 'canopy.config.js'];
const KEYS: readonly string[] = ['features', 'profiles', 'settings'];
const PROFILE_NAME = /^[a-z0-9][a-z0-9-]*$/;

/** The configuration file of the working folder; undefined when the folder has no such file. Throws ConfigError when it has two. */
function findFile(named: string | undefined): string | undefined {
  const name = named?.trim();
  if (name) {
    const path = resolve(name);
    if (!existsSync(path)) throw new ConfigError(`CANOPY_CONFIG names a file that is not there: ${path}`);
    return path;
  }
  const [first, second] = FILE_NAMES.filter((one) => existsSync(resolve(one)));
  if (second !== undefined) throw new ConfigError(`There are ${first} and ${second}; keep one of them.`);
  return first === undefined ? undefined : resolve(first);
}

/** A member of the configuration that is a list. Throws ConfigError. */
function listOf(config: Record<string, unknown>, key: string, file: string): readonly unknown[] {
  const value = config[key] ?? [];
  if (!Array.isArray(value)) throw new ConfigError(`${file}: "${key}" must be a list.`);
  return value;
}

const isMaker = (value: unknown): value is (options: unknown) => unknown => typeof value === 'function';

/** Calls the function of a package that makes a feature from options. Throws ConfigError when the function rejects the options. */
function withOptions(make: (options: unknown) => unknown, options: unknown, who: string): unknown {
  try {
    return make(options);
  } catch (error) {
    throw new ConfigError(`${who} refuses its options: ${messageOf(error)}`);
  }
}

/** Loads a feature of the list: an object, or the default export of the named package. Throws ConfigError. */
async function loadFeature(entry: unknown, at: string, path: string): Promise<Feature> {
  const file = basename(path);
  if (isNamedFeature(entry)) return checkFeature(entry, `${file}: The feature "${entry.name}"`);
  const [name, options]: unknown[] = Array.isArray(entry) ? entry : [entry];
  if (typeof name !== 'string' || (Array.isArray(entry) && !isJsonObject(options)))
    throw new ConfigError(
      `${file}: ${at} must be a feature, the name of a package, or a list of its name and its options.`,
    );
  const who = `${file}: The package "${name}"`;
  const exported = await importFrom(locateFeature(name, dirname(path)), path, who);
  if (options !== undefined && !isMaker(exported))
    throw new ConfigError(`${who} takes no options: its default export must be a function of them.`);
  const found = isMaker(exported) ? withOptions(exported, options ?? {}, who) : exported;
  if (!isNamedFeature(found))
    throw new ConfigError(`${who} must have a feature, or a function that returns one, as its default export.`);
  return checkFeature(found, `${file}: The feature "${found.name}" of the package "${name}"`);
}

/** The profiles of the folders. Throws ConfigError. */
function findProfiles(entries: readonly unknown[], path: string): Map<string, string> {
  const file = basename(path);
  const taken = new Map(allProfiles({ profiles: new Map() }));
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (typeof entry !== 'string' && !(entry instanceof URL))
      throw new ConfigError(`${file}: "profiles" must be a list of paths.`);
    const folder = resolve(dirname(path), folderPath(entry));
    if (!existsSync(folder)) throw new ConfigError(`${file}: There is no folder of profiles at ${folder}.`);
    const isOne = readdirSync(folder).includes('metadata.json');
    const profiles = isOne ? new Map([[basename(folder), folder]]) : profilesIn(folder);
    if (profiles.size === 0) throw new ConfigError(`${file}: There is no profile in ${folder}.`);
    for (const [name, place] of profiles) {
      if (!PROFILE_NAME.test(name))
        throw new ConfigError(`${file}: "${name}" cannot be the name of a profile: small letters, digits and - only.`);
      if (taken.has(name)) throw new ConfigError(`${file}: There are two profiles "${name}".`);
      taken.set(name, place);
      found.set(name, place);
    }
  }
  return found;
}

/** The settings of the file, as text. Throws ConfigError. */
function parseSettings(value: unknown, file: string): Partial<Record<SettingName, string>> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new ConfigError(`${file}: "settings" must be an object of settings.`);
  const names: readonly string[] = SETTING_NAMES;
  const settings: Record<string, string> = {};
  for (const [name, setting] of Object.entries(value)) {
    if (!names.includes(name) || name === 'CANOPY_CONFIG')
      throw new ConfigError(`${file}: Unknown setting ${name}. Known settings: ${names.slice(1).join(', ')}.`);
    if (setting === undefined) continue;
    if (typeof setting !== 'string' && typeof setting !== 'number')
      throw new ConfigError(`${file}: The setting ${name} must be a text or a number.`);
    settings[name] = String(setting);
  }
  return settings;
}

/**
 * Loads the configuration file: the file in `CANOPY_CONFIG`, else the file of the working folder. Without a file the site has only the features of
 * the program. Throws ConfigError with one line for a broken file.
 */
export async function loadConfigFile(named: string | undefined): Promise<ConfigFile> {
  const path = findFile(named);
  if (path === undefined) return { features: [], profiles: new Map(), settings: {} };
  const file = basename(path);
  const config = await importFrom(pathToFileURL(path).href, path, file);
  if (!isJsonObject(config))
    throw new ConfigError(`${file} must have an object with features, profiles and settings as its default export.`);
  const unknown = Object.keys(config).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw new ConfigError(`${file}: Unknown key "${unknown}". Known keys: ${KEYS.join(', ')}.`);
  const features: Feature[] = [];
  for (const [index, entry] of listOf(config, 'features', file).entries())
    features.push(await loadFeature(entry, `features[${index}]`, path));
  return {
    features,
    profiles: findProfiles(listOf(config, 'profiles', file), path),
    settings: parseSettings(config.settings, file),
  };
}
