import { isIP } from 'node:net';

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
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const proxies = text.split(',').map((proxy) => proxy.trim());
  return proxies.every((proxy) => NETWORKS.has(proxy) || isNetwork(proxy)) ? proxies : undefined;
}
