import { isIP } from 'node:net';

/** Shorter names have too many neighbours: PGPORT, which PostgreSQL knows, is two edits away from PORT. */
const MIN_LENGTH = 6;
const MAX_EDITS = 2;

/** How many letters have to be put in, taken out or replaced to make `b` of `a` (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * The setting that a name of the environment is a misspelling of: one that begins with the same letter and is one or
 * two edits away, the nearest first; undefined when there is none. Names of less than six letters are never taken for one.
 */
export function matchedSetting(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .filter((setting) => Math.min(name.length, setting.length) >= MIN_LENGTH && setting[0] === name[0])
    .filter((setting) => Math.abs(setting.length - name.length) <= MAX_EDITS)
    .map((setting) => ({ setting, edits: editDistance(name, setting) }))
    .filter(({ edits }) => edits > 0 && edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.setting;
}

/** Whom `X-Forwarded-*` is believed from: so many proxies one behind the other, or those with these addresses. */
export type TrustedProxies = number | string[];

/** Names for the networks of one machine and of one organisation, as Fastify knows them. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** More proxies stand in nobody's way. */
const MAX_HOPS = 20;

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
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
