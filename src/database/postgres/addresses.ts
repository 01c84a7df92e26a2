import { DatabaseUnavailable } from '../database.ts';

/** User and password, then the hosts with their ports, then the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

/** The parts of an address of PostgreSQL: `before`, one host of `hosts` and `behind` together make an address. Undefined for any other text. */
export function partsOfAddress(url: string): { before: string; hosts: string[]; behind: string } | undefined {
  const [, before, hosts, behind] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || behind === undefined) return undefined;
  return { before, hosts: hosts.split(','), behind };
}

/** Names of libpq for servers that take writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Splits an address with several hosts, in libpq's form such as `postgres://user@one:5432,two:5432/site?target_session_attrs=read-write`, into one
 * address for each host. Throws DatabaseUnavailable when the address does not ask for servers that take writes; the message names the `setting`.
 */
export function addressesOf(url: string, setting: string): string[] {
  const parts = partsOfAddress(url);
  if (parts === undefined) return [url];
  const { before, hosts, behind } = parts;
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(behind)?.[1];
  if (wanted !== undefined && !WRITABLE.includes(wanted))
    throw new DatabaseUnavailable(
      `${setting} has target_session_attrs=${wanted}. Canopy needs a server that takes writes: read-write.`,
    );
  const plain = behind.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  // Without a host the driver uses the host of its environment variables.
  if (hosts.join() === '') return [url];
  return hosts.map((host) => before + host + plain);
}

/** The servers that may be the primary, and the one that was the primary last. */
export class PrimaryAddresses {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  get count(): number {
    return this.#urls.length;
  }

  /** The address to connect to. */
  get current(): string {
    return this.#urls[this.#at] ?? '';
  }

  /** Moves on to the next address, unless this was done since `url` failed. */
  failed(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }
}
