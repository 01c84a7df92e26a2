import { references, requests } from '#core';
import { ClientError } from '#lib/errors';

/** Maximum bytes of the path of an alias with its query, and of a target elsewhere, which go into an index or a header. */
const MAX_BYTES = 2000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const CONTROL = /[\u0000-\u001f\u007f]/;

export type ParsedPath = { path: string } | { problem: string };
export type ParsedTarget = { path: string } | { url: string } | { problem: string };

/**
 * Parses the address of an alias into the form in which redirects are looked up: the path without percent-encoding and
 * site prefix, and the query unchanged. `problem` says why the text cannot be an alias.
 */
export function parseAliasPath(text: unknown): ParsedPath {
  if (typeof text !== 'string' || text === '') return { problem: 'You have to enter an alternative url.' };
  if (!text.startsWith('/')) return { problem: 'Alternative url path must start with a slash.' };
  if (CONTROL.test(text) || !text.isWellFormed()) return { problem: 'The alternative url has control characters.' };
  if (Buffer.byteLength(text) > MAX_BYTES) return { problem: `The alternative url is longer than ${MAX_BYTES} bytes.` };
  const queryStart = text.indexOf('?');
  const query = queryStart === -1 ? '' : text.slice(queryStart);
  try {
    const { path, service, collapsed } = requests.addressOf(queryStart === -1 ? text : text.slice(0, queryStart), {
      scheme: 'http',
      host: 'localhost',
      publicUrl: undefined,
      trusted: false,
    });
    if (service !== '' || collapsed !== undefined)
      return { problem: 'The alternative url names a service, not a page.' };
    return { path: query === '?' ? path : path + query };
  } catch (error) {
    if (error instanceof ClientError) return { problem: `The alternative url cannot be an address: ${error.message}` };
    throw error;
  }
}

/** Parses the target of an alias: a path, an address below one of `bases`, or any other http or https address. */
export function parseAliasTarget(text: unknown, bases: readonly string[]): ParsedTarget {
  if (typeof text !== 'string' || text === '') return { problem: 'You have to enter a target.' };
  if (CONTROL.test(text) || !text.isWellFormed()) return { problem: 'The target has control characters.' };
  const internal = references.parseLink(text, bases);
  if (internal && 'path' in internal && internal.suffix === '') return { path: internal.path };
  if (!internal && /^https?:\/\//i.test(text) && URL.canParse(text)) {
    const url = new URL(text).href;
    if (Buffer.byteLength(url) <= MAX_BYTES) return { url };
  }
  return { problem: 'The target must be the path of content, or an http or https address.' };
}
