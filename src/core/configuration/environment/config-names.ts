import { isIP } from 'node:net';
import { editDistance } from '../../../lib/text/edit-distance.ts';

/** Shorter names have too many neighbours: PGPORT, which PostgreSQL knows, is two edits away from PORT. */
const MIN_LENGTH = 6;
const MAX_EDITS = 2;

/**
 * Finds the setting for a misspelt name of the environment: one that begins with the same letter and is one or two edits away, the
 * nearest first; undefined if no setting is that near. Names of less than six letters never match.
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

/** The proxies whose `X-Forwarded-*` counts: this number of them in a chain, or those with these addresses. */
export type TrustedProxies = number | string[];

/** Names for the networks of one machine and of one organisation, as Fastify knows them. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** More proxies stand in nobody's way. */
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

/** Reads a number of proxies, or addresses, networks and their names between commas. Undefined when it is neither. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const proxies = text.split(',').map((proxy) => proxy.trim());
  return proxies.every((proxy) => NETWORKS.has(proxy) || isNetwork(proxy)) ? proxies : undefined;
}
