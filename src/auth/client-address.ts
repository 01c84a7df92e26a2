import { isIPv6 } from 'node:net';

const MAX_LENGTH = 64;

/** What proxies may add to an address: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/**
 * The address that login failures are counted by, without a port. Of IPv6 the first 64 bits: one subscriber has
 * all of the rest. IPv4 inside IPv6 is IPv4. Anything that is no address is taken as it is, cut.
 */
export function clientNetwork(address: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? dotted ?? address).toLowerCase().split('%');
  if (!isIPv6(bare)) return bare.replaceAll('\0', '').slice(0, MAX_LENGTH);
  const mapped = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : '';
  if (mapped.includes('.')) return mapped;
  const [head = '', tail] = bare.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const last = after.at(-1);
  // A dotted end stands for two groups of the eight.
  const written = before.length + after.length + (last?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - written;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
