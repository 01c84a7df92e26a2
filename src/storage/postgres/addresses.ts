import { DatabaseUnavailable } from '../database.ts';

/** User and password, then the hosts with their ports, then the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/i;

/** What libpq calls the servers that take writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Takes an address with several hosts apart, such as `postgres://user@one:5432,two:5432/site?target_session_attrs=read-write`, which
 * libpq takes as well: one address for each host. Throws DatabaseUnavailable when other servers are wanted than those that
 * take writes; the message names the `setting`.
 */
export function addressesOf(url: string, setting: string): string[] {
  const [, credentials = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1];
  if (wanted !== undefined && !WRITABLE.includes(wanted))
    throw new DatabaseUnavailable(
      `${setting} has target_session_attrs=${wanted}. Canopy needs a server that takes writes: read-write.`,
    );
  const plain = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  if (hosts === '') return [url];
  return hosts.split(',').map((host) => `${credentials}${host}${plain}`);
}

/** The servers that may be the primary, and the one that was it last. */
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

  /** Goes on to the next address, unless somebody has since `url` failed. */
  failed(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }
}
