import type { Queryable } from '../../database/database.ts';
import { BadRequest, Forbidden } from '../../lib/errors.ts';
import { fileId, slug } from '../../lib/text/slug.ts';
import { freeNumber } from './statements/write-content.ts';

/** Names that would hide a view, a prefix of addresses or a route of Plone's clients; content must not have them. */
const RESERVED = new Set([
  'plone',
  'virtualhostbase',
  'virtualhostroot',
  'ics_view',
  'rss_view',
  'markdown_view',
  'resolveuid',
  'robots.txt',
  'sitemap.xml',
  'sitemap.xml.gz',
  'llms.txt',
  'login',
  'layout',
  'zip',
  'properties',
  '.',
  '..',
]);

/** The name of the feed of a container. Content may be named `rss`. */
const FEED = 'RSS';

/** Names that Volto routes to pages of its own: names made from titles avoid them, but a client may choose them. */
const AVOIDED = new Set([
  'add',
  'edit',
  'contents',
  'sharing',
  'diff',
  'historyview',
  'delete',
  'rules',
  'aliases',
  'search',
  'sitemap',
  'logout',
  'register',
  'passwordreset',
  'contact-form',
  'controlpanel',
  'change-password',
  'personal-information',
  'view',
]);

/** Maximum length of a name in characters, so that index entries stay small. */
const MAX_LENGTH = 200;

/** Longest path, in bytes: PostgreSQL indexes no values over 2,700 bytes. */
export const MAX_PATH_BYTES = 2000;

/** Says if a name is reserved: content may not have it. */
const isReserved = (name: string): boolean =>
  name === FEED || RESERVED.has(name.toLowerCase()) || /^(_vh_|\+\+|aq_)/.test(name);

/**
 * Returns a name that a client gave. Throws BadRequest with the reason when it is not allowed: separators, control characters, a leading `@`, `+` or
 * `_`, or a reserved word.
 */
export function checkName(name: unknown): string {
  if (typeof name !== 'string') throw new BadRequest('The id must be a string.');
  if (name === '' || name.trim() !== name)
    throw new BadRequest('The id must not be empty or begin or end with a space.');
  if (name.length > MAX_LENGTH) throw new BadRequest(`The id is longer than ${MAX_LENGTH} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f/\\?#%]/.test(name) || !name.isWellFormed()) {
    throw new BadRequest('The id must not contain slashes, control characters or any of ? # % \\.');
  }
  if (/^[@+_]/.test(name)) throw new BadRequest('The id must not begin with @, + or _.');
  if (isReserved(name)) throw new BadRequest(`The id "${name}" is reserved. Choose another one.`);
  return name;
}

/** The preferred name of content: from its file name or its title, else from its type. */
export function preferredName({
  title,
  filename,
  type,
}: {
  title: string;
  filename?: string | undefined;
  type: string;
}): string {
  const name = (filename === undefined ? '' : fileId(filename)) || slug(title) || slug(type) || 'item';
  const usable = name.slice(0, MAX_LENGTH - 8);
  return isReserved(usable) || AVOIDED.has(usable) ? `${usable}-1` : usable;
}

/** The first free name of `name`, `name-1`, `name-2`, … in the container; if very many are taken, any free one. */
export async function freeName(tx: Queryable, parent: number, name: string): Promise<string> {
  const number = await freeNumber(tx, parent, name);
  return number === 0 ? name : `${name}-${number}`;
}

/** Rejects a path that is too long for an address and an index entry. */
export function checkPathLength(path: string): string {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Forbidden('The path would be too long. Choose a shorter id or a place further up.');
  return path;
}
