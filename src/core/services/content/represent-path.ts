import { readerLanguage } from '../../configuration/panels/languages.ts';
import { localizedSite } from '../../configuration/site/localized-site.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { Created } from '../../content/create-content.ts';
import { locate } from '../../content/locate.ts';
import { pathsOfUids } from '../../content/statements/references.ts';
import type { AnyContent } from '../../serializer/content-shapes.ts';
import { type ItemQuery, itemOptions, represent } from '../../serializer/representation.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import type { RequestContext } from '../service.ts';

/** Maximum body of a write of content, in bytes; the body contains files as base64. */
export const CONTENT_BODY_LIMIT = 64 * 1024 * 1024;

/** The header that a change of locked content needs, for the description. */
export const LOCK_TOKEN = {
  'Lock-Token': { description: 'Token of the lock, where the content is locked. Without it: 403.' },
};

/**
 * The representation of an object after a write that put it at `path`. Undefined when a consequence of the write in its transaction has moved or
 * removed the object.
 */
export async function representWritten(
  context: RequestContext<object, ItemQuery, object>,
  { path, uid, found }: Created,
): Promise<AnyContent | undefined> {
  const there = found ?? (await locate(context.kernel, path));
  if (there.resolved?.object.uid === uid) return representFound(context, there.site, there.resolved);
  const moved = (await pathsOfUids(context.kernel.db, [uid])).get(uid);
  if (moved === undefined) return undefined;
  const { site, resolved } = await locate(context.kernel, moved);
  return resolved?.object.uid === uid ? representFound(context, site, resolved) : undefined;
}

/** The representation in the language of the reader; the site of a write has no language. */
function representFound(
  context: RequestContext<object, ItemQuery, object>,
  site: Site,
  resolved: ResolvedNode,
): Promise<AnyContent> {
  const language = readerLanguage(site, headerOf(context, 'accept-language'), context.authentication.account?.language);
  return represent(
    { ...context, site: localizedSite(site, language) },
    resolved,
    itemOptions(context.query, context.searchParams),
  );
}

/**
 * Addresses of the site root that links in a body may begin with: the address that the client sees, the public address, and with `host` the address
 * of this server.
 */
export const basesOf = ({ base, kernel }: Pick<RequestContext, 'base' | 'kernel'>, host?: string): string[] => [
  base,
  ...(kernel.config.publicUrl ? [kernel.config.publicUrl] : []),
  ...(host === undefined ? [] : [`http://${host}`, `https://${host}`]),
];

/** One header of the request. */
export function headerOf(context: Pick<RequestContext, 'headers'>, name: string): string | undefined {
  const value = context.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The time of the last change, for requests with a condition that was checked before: no other write may come between check and write. */
export const expectedChange = (context: Pick<RequestContext, 'headers' | 'resolved'>): Date | undefined =>
  ['if-match', 'if-none-match', 'if-unmodified-since'].some((name) => headerOf(context, name) !== undefined)
    ? context.resolved.object.modified
    : undefined;
