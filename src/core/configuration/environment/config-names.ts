import { isIP } from 'node:net';
import { editDistance } from '../../../lib/text/edit-distance.ts';

/**
 * Minimum length of names that are corrected, because shorter names have too many neighbours: PGPORT, a name of PostgreSQL, is two edits away from
 * PORT.
 */
const MIN_LENGTH = 6;
const MAX_EDITS = 2;

/**
 * Finds the setting for a misspelt name of the environment: the nearest setting that begins with the same letter and is one or two edits away;
 * undefined if no setting is that near. Names of less than six letters never match.
 */
export function matchedSetting(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .filter((setting) => Math.min(name.length, setting.length) >= MIN_LENGTH && setting[0] === name[0])
    .filter((setting) => Math.abs(setting.length - name.length) <= MAX_EDITS)
    .map((setting) => ({ setting, edits: editDistance(name, setting, MAX_EDITS) }))
    .filter(({ edits }) => edits > 0 && edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.setting;
}

/** The proxies whose `X-Forwarded-*` headers count: a number of proxies in a chain, or proxies with these addresses. */
export type TrustedProxies = number | string[];

/** Names of Fastify for the networks of one machine and of one organisation. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** Maximum number of proxies; no real chain is longer. */
const MAX_HOPS = 20;

/** Says if a text is an address, or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** Parses a number of proxies, or addresses, networks and names of networks, separated by commas. Undefined for other texts. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const proxies = text.split(',').map((proxy) => proxy.trim());
  return proxies.every((proxy) => NETWORKS.has(proxy) || isNetwork(proxy)) ? proxies : undefined;
}
