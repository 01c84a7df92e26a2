import { contentPath } from '#core';
import type { OutgoingRequest } from '#lib/http/outgoing-request';
import type { PurgeMethod, PurgeTarget } from './panel.ts';
import type { Purge } from './purges.ts';

/** Maximum number of tags in one request: the limits of Fastly and Cloudflare, and the number that fits into a header of Varnish. */
const TAGS_PER_REQUEST = { xkey: 100, ban: 50, fastly: 256, cloudflare: 30 };

/** Ends of the addresses that are purged of an object: itself, and the services that plone.restapi purges. */
const OF_OBJECT = ['', '/@actions', '/@breadcrumbs', '/@comments', '/@navigation'];
/** Ends of the addresses that are purged of its container, which shows it in lists. */
const OF_CONTAINER = ['', '/@navigation'];
/** Addresses with and without the prefix that Volto uses. */
const PREFIXES = ['', '/++api++'];

/** A list in pieces of a size, the last one with the rest. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** The addresses that are purged when objects at these paths have changed, from the root of the site. */
function purgedPaths(paths: readonly string[]): string[] {
  const below = (path: string, ends: readonly string[]): string[] =>
    ends.flatMap((end) => PREFIXES.map((prefix) => `${prefix}${path === '/' ? '' : path}${end}` || '/'));
  return [
    ...new Set(
      paths.flatMap((path) => {
        const container = contentPath.parent(path);
        return [...below(path, OF_OBJECT), ...(container === undefined ? [] : below(container, OF_CONTAINER))];
      }),
    ),
  ];
}

/** PURGE of each address at a cache, under each name of the site. */
function pathRequests(proxy: string, domains: readonly string[], paths: readonly string[]): OutgoingRequest[] {
  const hosts = domains.length === 0 ? [{}] : domains.map((domain) => ({ host: new URL(domain).host }));
  return purgedPaths(paths).flatMap((path) =>
    hosts.map((headers) => ({ url: new URL(proxy).origin + encodeURI(path), method: 'PURGE', headers })),
  );
}

/** The requests of a purge to a cache. */
export function purgeRequests(
  proxy: string,
  { tags, paths }: Purge,
  { method, domains }: Pick<PurgeTarget, 'method' | 'domains'>,
  token: string | undefined,
): OutgoingRequest[] {
  if (method === 'paths') return pathRequests(proxy, domains, paths);
  const request = TAG_REQUESTS[method];
  return batches(tags, TAGS_PER_REQUEST[method]).map((some) => ({ url: proxy, ...request(some, token) }));
}

const proofOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** The request by which caches of one kind evict responses with any of some tags. */
type TagRequest = (tags: readonly string[], token: string | undefined) => Omit<OutgoingRequest, 'url'>;

const TAG_REQUESTS: Record<Exclude<PurgeMethod, 'paths'>, TagRequest> = {
  xkey: (tags, token) => ({ method: 'PURGE', headers: { 'xkey-purge': tags.join(' '), ...proofOf(token) } }),
  ban: (tags, token) => ({ method: 'BAN', headers: { 'x-ban-tags': tags.join('|'), ...proofOf(token) } }),
  fastly: (tags, token) => ({
    method: 'POST',
    headers: { 'surrogate-key': tags.join(' '), ...(token === undefined ? {} : { 'fastly-key': token }) },
  }),
  cloudflare: (tags, token) => ({ method: 'POST', headers: proofOf(token), body: JSON.stringify({ tags }) }),
};
