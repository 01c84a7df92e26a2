import { readFileSync, statSync } from 'node:fs';
import { chosen, ExportError, isFileError, type ReaderOption, type ReadOptions } from '@canopy-server/site-reader';
import type { OutsideSettings } from './outside.ts';

/** Seconds without data after which a request ends: unless given, and the most. */
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;

const MAX_PASSWORD_BYTES = 1024;

/** The options of the reader. */
export const OPTIONS: Readonly<Record<string, ReaderOption>> = {
  media: {
    description:
      'Files that are not beside the export: "fetch" downloads them, "none" does not. Of an address "fetch" unless given.',
    choices: ['none', 'fetch'],
  },
  addresses: {
    description: 'Where files and redirects may lead: "public", or "any", which are private networks as well.',
    choices: ['public', 'any'],
  },
  user: { description: 'The name of a user of WordPress, for what is not public.' },
  'password-file': { description: 'The file with an application password of this user.' },
  menu: { description: 'The short name of the menu that becomes the navigation.' },
  timeout: { description: `Seconds without data after which a request ends; ${DEFAULT_SECONDS} unless given.` },
};

/** Settings of a run of the reader. */
export type Settings = { outside: OutsideSettings | undefined; fetchesMedia: boolean; menu: string | undefined };

function passwordOf(file: string): string {
  try {
    if (statSync(file).size > MAX_PASSWORD_BYTES) throw new ExportError(`${file} is too large for a password.`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new ExportError(`The password file ${file} cannot be read.`);
  }
}

/** The header of a login; undefined without one. */
function authorizationOf(user: string | undefined, file: string | undefined): string | undefined {
  if ((user === undefined) !== (file === undefined))
    throw new ExportError('The options user and password-file belong together.');
  if (user === undefined || file === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${passwordOf(file)}`).toString('base64')}`;
}

/** The settings of the options. `site` is the address that is read, if it is one. Throws ExportError for what does not fit. */
export function settingsOf({ options = {}, request }: ReadOptions, site: URL | undefined): Settings {
  const media = chosen('media', options.media, site === undefined ? ['none', 'fetch'] : ['fetch', 'none']);
  const addresses = chosen('addresses', options.addresses, ['public', 'any']);
  const seconds = options.timeout === undefined ? DEFAULT_SECONDS : Number(options.timeout);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new ExportError(`The option timeout takes seconds, ${MAX_SECONDS} at most.`);
  const authorization = authorizationOf(options.user, options['password-file']);
  if (authorization !== undefined && site === undefined)
    throw new ExportError('A login is for an address, not for a file.');
  const isNeeded = site !== undefined || media === 'fetch';
  if (isNeeded && request === undefined) throw new ExportError('This program sends no requests for readers.');
  const outside = request && {
    ...{ request, trusted: site, authorization },
    ...{ isPrivateAllowed: addresses === 'any', silenceMs: seconds * 1000 },
  };
  return { outside: isNeeded ? outside : undefined, fetchesMedia: media === 'fetch', menu: options.menu };
}
