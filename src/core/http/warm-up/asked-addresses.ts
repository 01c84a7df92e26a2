import { unescape as decodeLeniently } from 'node:querystring';

/** Everything that the cached response to a visitor depends on. */
export type AskedAddress = {
  scheme: string;
  host: string;
  /** Path and query, without parameters that do not count. */
  target: string;
  /** The language of the response; null for a request without `Accept-Language`. */
  language: string | null;
};

/** An address with the number of requests for it. The number has a fraction where older requests count less. */
export type CountedAddress = AskedAddress & { count: number };

/** Addresses that are counted at once. */
const MAX_COUNTED = 2000;
/** Characters of a target that is counted. */
const MAX_TARGET_LENGTH = 1000;
/** The parameter with the words of a search. Words that visitors have typed are not stored. */
const WORDS = /searchabletext/i;

/** Identifies an address. */
export const keyOfAddress = ({ scheme, host, target, language }: AskedAddress): string =>
  `${language ?? ''}\n${scheme}://${host}\n${target}`;

/** The most frequent of some addresses, the most frequent first. */
export const mostAsked = (addresses: Iterable<CountedAddress>, limit: number): CountedAddress[] =>
  [...addresses].sort((a, b) => b.count - a.count).slice(0, limit);

/** The address of a request whose links begin with `base`; undefined for a long one and for a search for words, which are not counted. */
export function askedAddress(base: string, target: string, language: string | null): AskedAddress | undefined {
  if (target.length > MAX_TARGET_LENGTH || WORDS.test(decodeLeniently(target))) return undefined;
  const { protocol, host } = new URL(base);
  return { scheme: protocol.slice(0, -1), host, target, language };
}

/**
 * Counts the requests of visitors by address, for responses that may be cached for everybody. When there are too many addresses, the rarer half is
 * forgotten, so that any number of made up addresses does not displace those that are asked for again and again.
 */
export class AskedAddresses {
  #counted = new Map<string, CountedAddress>();

  /** The number of counted addresses. */
  get size(): number {
    return this.#counted.size;
  }

  /** Counts one request, or several. */
  count(address: AskedAddress, requests = 1): void {
    const key = keyOfAddress(address);
    const known = this.#counted.get(key);
    if (known) {
      known.count += requests;
      return;
    }
    if (this.#counted.size >= MAX_COUNTED)
      this.#counted = new Map(
        mostAsked(this.#counted.values(), MAX_COUNTED / 2).map((one) => [keyOfAddress(one), one]),
      );
    this.#counted.set(key, { ...address, count: requests });
  }

  /** Returns the counted addresses, and begins anew. */
  take(): CountedAddress[] {
    const counted = [...this.#counted.values()];
    this.#counted = new Map();
    return counted;
  }
}
