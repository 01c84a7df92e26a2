import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { TrustedProxies } from '../configuration/environment/config-names.ts';

/** Says if the sender of a request is a trusted proxy; `hop` counts the proxies behind it, from 0. */
export type Trust = (address: string, hop: number) => boolean;

/** The networks by the names that the setting allows. */
const NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** The trust that the setting `TRUST_PROXY` gives: a number of proxies, or proxies with these addresses; no proxy without the setting. */
export function trustOf(proxies: TrustedProxies | undefined): Trust {
  if (proxies === undefined) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const trusted = new BlockList();
  for (const network of proxies.flatMap((name) => NETWORKS.get(name) ?? name)) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  // An IPv4 client of a socket for both families is written as `::ffff:192.0.2.1`: the list matches this form, too.
  return (address) => address !== '' && trusted.check(address, familyOf(address));
}

/**
 * The host that a request was sent to. `X-Forwarded-Host` counts only beside `X-Forwarded-Proto`: the server of Volto sends the host alone, and
 * without its port, in the requests for pages that it renders. Links made of this host would lead nowhere.
 */
export const requestedHost = ({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string =>
  headers['x-forwarded-proto'] === undefined ? (headers.host ?? host) : host;
