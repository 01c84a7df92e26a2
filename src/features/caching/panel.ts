import { type controlPanels, definePanel, MANAGE_PORTAL, panelSettings, type Site, settings } from '#core';
import { addressProblem } from '#lib/http/outgoing-request';
import { isJsonObject } from '#lib/json-object';
import { DEFAULT_MAPPING, OPERATIONS, RULESET_NAMES } from './rulesets.ts';

const YEAR_SECONDS = 31_536_000;

/** The record of plone.app.caching for an option of an operation. */
const option = (name: string): string => `plone.app.caching.${name}`;

const seconds = <N extends string>(name: N, title: string, description: string, fallback: number, record: string) =>
  settings.whole(name, {
    ...{ title, description, default: fallback, record },
    minimum: 0,
    maximum: YEAR_SECONDS,
    required: true,
  });

/** Names of the headers that tags can stand in. */
const TAG_HEADERS = ['Surrogate-Key', 'Cache-Tag', 'xkey'] as const;

/** Ways to have a cache evict responses. */
const PURGE_METHODS = ['paths', 'xkey', 'ban', 'fastly', 'cloudflare'] as const;
export type PurgeMethod = (typeof PURGE_METHODS)[number];

const MAX_PROXIES = 10;

/** The problem with the operations of rulesets; undefined without one. */
function mappingProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [ruleset, operation] of Object.entries(value)) {
    if (!RULESET_NAMES.includes(ruleset))
      return `There is no ruleset "${ruleset}". There are: ${RULESET_NAMES.join(', ')}.`;
    if (typeof operation !== 'string' || !OPERATIONS.has(operation))
      return `"${ruleset}" must have one of these operations: ${[...OPERATIONS.keys()].join(', ')}.`;
  }
  return undefined;
}

/** Says if caches are to evict by tags while no response has tags. */
const lacksTags = ({ caching_proxies, purge_method, tag_header }: controlPanels.Values): boolean =>
  settings.textsOf(caching_proxies).length > 0 && purge_method !== 'paths' && tag_header === 'none';

/** Settings of the caches outside of the server: how long they keep responses, and how changes reach them. */
export const cachingPanel = definePanel({
  id: 'caching',
  title: 'Caching',
  group: 'General',
  permission: MANAGE_PORTAL,
  settings: [
    settings.flag('enabled', {
      title: 'Allow caches outside',
      description: 'Whether proxies and browsers may keep what everybody may see. Without it they ask each time.',
      default: false,
      record: 'plone.caching.interfaces.ICacheSettings.enabled',
    }),
    {
      ...settings.json('operation_mapping', {
        title: 'Operations of rulesets',
        description: 'How responses of each ruleset are kept.',
        default: { ...DEFAULT_MAPPING },
        record: 'plone.caching.interfaces.ICacheSettings.operationMapping',
      }),
      problem: mappingProblem,
    },
    seconds(
      'terse_maxage',
      'Terse caching: seconds in browsers',
      'Browsers show what is so old without asking. Nobody can tell them of a change.',
      10,
      option('terseCaching.maxage'),
    ),
    seconds(
      'terse_smaxage',
      'Terse caching: seconds in proxies',
      'A longer time is useful where proxies are notified of changes.',
      60,
      option('terseCaching.smaxage'),
    ),
    seconds(
      'moderate_smaxage',
      'Moderate caching: seconds in proxies',
      'Browsers ask each time.',
      86_400,
      option('moderateCaching.smaxage'),
    ),
    seconds(
      'strong_maxage',
      'Strong caching: seconds',
      'In browsers, and in proxies unless these have a time of their own.',
      86_400,
      option('strongCaching.maxage'),
    ),
    settings.whole('strong_smaxage', {
      title: 'Strong caching: seconds in proxies',
      description: 'Empty for the same as in browsers.',
      default: null,
      minimum: 0,
      maximum: YEAR_SECONDS,
      record: option('strongCaching.smaxage'),
    }),
    seconds(
      'stable_maxage',
      'Strong caching of stable resources: seconds',
      'What has another address when it changes.',
      YEAR_SECONDS,
      option('strongCaching.plone.stableResource.maxage'),
    ),
    settings.choice('tag_header', {
      title: 'Header with tags',
      description: 'Tags name what a response is made of, for caches that can forget by them.',
      choices: () => [['none', 'None'], ...TAG_HEADERS.map((name): [string, string] => [name, name])],
      default: 'none',
      record: 'canopy.caching.tag_header',
    }),
    settings.flag('purge_enabled', {
      title: 'Tell caches of changes',
      description: 'Notify the caches below as soon as something has changed.',
      default: true,
      record: 'plone.cachepurging.interfaces.ICachePurgingSettings.enabled',
    }),
    {
      ...settings.list('caching_proxies', {
        title: 'Caches',
        description:
          'Addresses that are notified of changes, such as http://varnish:6081 or the address of a provider.',
        default: [],
        record: 'plone.cachepurging.interfaces.ICachePurgingSettings.cachingProxies',
      }),
      problem: (value) =>
        settings.textsOf(value).length > MAX_PROXIES
          ? `There may be ${MAX_PROXIES} at most.`
          : settings
              .textsOf(value)
              .map(addressProblem)
              .find((problem) => problem !== undefined),
    },
    settings.choice('purge_method', {
      title: 'How caches are notified',
      description: 'PURGE of addresses forgets less than tags do: see the documentation.',
      choices: () => [
        ['paths', 'PURGE of addresses'],
        ['xkey', 'Varnish with xkey'],
        ['ban', 'Varnish with bans'],
        ['fastly', 'Fastly'],
        ['cloudflare', 'Cloudflare'],
      ],
      default: 'paths',
      record: 'canopy.caching.purge_method',
    }),
    settings.list('domains', {
      title: 'Domains',
      description:
        'Addresses of the site that caches know it by, for PURGE of addresses. Empty for the address of the cache.',
      default: [],
      record: 'plone.cachepurging.interfaces.ICachePurgingSettings.domains',
      problem: addressProblem,
    }),
  ],
  check: (values) =>
    lacksTags(values)
      ? [
          {
            field: 'tag_header',
            message: 'Must be a header: caches are to forget by tags, which responses have there.',
          },
        ]
      : [],
});

/** Says if caches outside may keep responses. */
export const isCachingOn = (site: Site): boolean => panelSettings(site, cachingPanel).enabled;

/** The caches that get notices of changes, and the form of these notices. */
export type PurgeTarget = { proxies: readonly string[]; method: PurgeMethod; domains: readonly string[] };

/** The caches that get notices of changes from the site; undefined without any. */
export function purgeTarget(site: Site): PurgeTarget | undefined {
  const { enabled, purge_enabled, caching_proxies, purge_method, domains } = panelSettings(site, cachingPanel);
  const method = PURGE_METHODS.find((one) => one === purge_method);
  if (!enabled || !purge_enabled || caching_proxies.length === 0 || method === undefined) return undefined;
  return { proxies: [...new Set(caching_proxies)].slice(0, MAX_PROXIES), method, domains };
}
