import type { ServiceResponse } from '#core';

/** Rulesets of plone.app.caching by the names of services, as plone.restapi has them for its own. */
const RULESETS: ReadonlyMap<string, string> = new Map([
  ...[
    '',
    '@actions',
    '@breadcrumbs',
    '@inherit',
    '@markdown',
    '@navigation',
    '@navroot',
    '@querystring',
    '@querystring-search',
    '@search',
    '@site',
    '@translations',
  ].map((name): [string, string] => [name, 'plone.content.dynamic']),
  ['@comments', 'plone.content.itemView'],
  ['RSS', 'plone.content.feed'],
  ['sitemap.xml', 'plone.content.feed'],
  ['sitemap.xml.gz', 'plone.content.feed'],
  ['llms.txt', 'plone.content.feed'],
  ['@@download', 'plone.content.file'],
  ['@@display-file', 'plone.content.file'],
  ['@@images', 'plone.content.file'],
  ['@@site-logo', 'plone.resource'],
]);

const STABLE = 'plone.stableResource';

/** Says if a response never changes: its address changes with its content. */
export const isForever = ({ headers }: ServiceResponse): boolean =>
  String(headers?.['Cache-Control'] ?? '').includes('immutable');

/** The ruleset of a response; undefined if it has none. */
export function rulesetOf(service: string, response: ServiceResponse): string | undefined {
  const ruleset = RULESETS.get(service);
  return ruleset !== undefined && isForever(response) ? STABLE : ruleset;
}

/** The rulesets for which an operation can be chosen. */
export const RULESET_NAMES: readonly string[] = [...new Set([...RULESETS.values(), STABLE])];

/** Seconds for which browsers and shared caches may keep a response. */
type Ages = { maxAge: number; shared: number | null };

/** Settings of operations, in seconds. */
type OperationSettings = {
  readonly terse_maxage: number;
  readonly terse_smaxage: number;
  readonly moderate_smaxage: number;
  readonly strong_maxage: number;
  readonly strong_smaxage: number | null;
  readonly stable_maxage: number;
};

type Operation = (settings: OperationSettings, ruleset: string) => Ages;

const nothing: Operation = () => ({ maxAge: 0, shared: null });

/** The operations of plone.app.caching. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['plone.app.caching.noCaching', nothing],
  ['plone.app.caching.weakCaching', nothing],
  ['plone.app.caching.terseCaching', ({ terse_maxage: maxAge, terse_smaxage: shared }) => ({ maxAge, shared })],
  ['plone.app.caching.moderateCaching', ({ moderate_smaxage: shared }) => ({ maxAge: 0, shared })],
  [
    'plone.app.caching.strongCaching',
    ({ strong_maxage, strong_smaxage: shared, stable_maxage }, ruleset) => ({
      maxAge: ruleset === STABLE ? stable_maxage : strong_maxage,
      shared,
    }),
  ],
]);

/** The default operation of each ruleset: that of plone.app.caching's profile for sites with a proxy. */
export const DEFAULT_MAPPING: Readonly<Record<string, string>> = {
  'plone.resource': 'plone.app.caching.strongCaching',
  'plone.stableResource': 'plone.app.caching.strongCaching',
  'plone.content.itemView': 'plone.app.caching.weakCaching',
  'plone.content.feed': 'plone.app.caching.moderateCaching',
  'plone.content.file': 'plone.app.caching.moderateCaching',
  'plone.content.dynamic': 'plone.app.caching.terseCaching',
};

/**
 * The header Cache-Control for ages, none of them longer than `lasts` milliseconds (plone.app.caching, `setCacheHeaders`). Undefined when no
 * shared cache may keep the response.
 */
export function sharedCacheControl({ maxAge, shared }: Ages, lasts: number): string | undefined {
  const left = Math.floor(lasts / 1000);
  const browser = Math.min(maxAge, left);
  const proxy = shared === null ? null : Math.min(shared, left);
  if (browser > 0) return `max-age=${browser}${proxy === null ? '' : `, s-maxage=${proxy}`}, proxy-revalidate, public`;
  return proxy === null || proxy === 0 ? undefined : `max-age=0, s-maxage=${proxy}, must-revalidate`;
}
