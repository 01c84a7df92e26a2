import { readFileSync } from 'node:fs';
import { type CommandArguments, type CommandOption, ConfigError, UsageError } from '#core';
import type { Scope } from '../forms/scope.ts';

/** Values of options as they were given. */
type Options = CommandArguments['options'];

/** The option for the tokens of sites at addresses. */
export const TOKEN_OPTION = {
  'token-file': {
    type: 'string',
    value: 'file',
    completes: 'file',
    multiple: true,
    description: 'A file with the access token of a site at an address; for several in the order of these.',
  },
} as const satisfies Record<string, CommandOption>;

/** The options that say which part of a site is meant. */
export const SCOPE_OPTIONS = {
  path: { type: 'string', value: 'path', description: 'Only what is at and below a path.' },
  type: { type: 'string', value: 'type', multiple: true, description: 'Only content of this type.' },
  objects: {
    type: 'string',
    value: 'file',
    completes: 'file',
    description: 'Only the objects in a file: one UID or path a line.',
  },
  'set-up': {
    type: 'string',
    value: 'kinds',
    description:
      'The set-up as well: "all", "none", or kinds such as type,workflow,role. All unless --path, --type or --objects is given.',
  },
} as const satisfies Record<string, CommandOption>;

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** The text of an option; undefined where it was not given. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Loads a file that an option names. Throws ConfigError for one that cannot be read. */
function loadText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The tokens of places by their names: one file for each address, so that no site gets the token of another one. Throws UsageError for
 * another number of files, ConfigError for one that cannot be read.
 */
export function tokensFor(names: readonly string[], options: Options): ReadonlyMap<string, string> {
  const files = textsOf(options['token-file']);
  const addresses = [...new Set(names.filter(isAddress))];
  if (files.length > 0 && files.length !== addresses.length)
    throw new UsageError(`Give --token-file once for each address: there are ${addresses.length}.`);
  return new Map(
    files.map((file, at) => {
      const token = loadText(file).trim();
      if (token === '') throw new ConfigError(`${file} is empty: it must have the token.`);
      return [addresses[at] ?? '', token];
    }),
  );
}

/** The part of a site that the options name. Throws UsageError for another text than a path, ConfigError for a file that cannot be read. */
export function scopeOf(options: Options): Scope {
  const path = textOf(options.path) ?? '/';
  if (!path.startsWith('/') || (path.length > 1 && path.endsWith('/')))
    throw new UsageError('--path takes a path of the site, such as /news.');
  const types = textsOf(options.type);
  const file = textOf(options.objects);
  const lines = file === undefined ? undefined : loadText(file).split('\n');
  return {
    path,
    types: types.length > 0 ? types : undefined,
    objects: lines && new Set(lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))),
  };
}

/** The kinds of the set-up that the options name: false for no set-up, undefined for all of it. */
export function setupOf(options: Options): ReadonlySet<string> | undefined | false {
  const given = textOf(options['set-up']);
  const isPart = options.path !== undefined || options.type !== undefined || options.objects !== undefined;
  const word = given ?? (isPart ? 'none' : 'all');
  if (word === 'none') return false;
  return word === 'all' ? undefined : new Set(word.split(',').map((kind) => kind.trim()));
}
