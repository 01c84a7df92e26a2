import type { Reception } from './reception.ts';

/** Maximum number of bodies that wait for their first bytes, of users who are logged in and of all others. */
const MAX_ARRIVING = { known: 200, others: 400 };
/** Milliseconds between two looks for bodies that come too slowly. */
const LOOK_MS = 500;

/**
 * The bodies that are being received. Bodies whose first bytes are awaited have no place that others could wait for. When there are too many of them,
 * the client with the most bodies loses the body that has been silent for longest.
 */
export class Receptions {
  readonly #all = new Set<Reception>();
  #timer: NodeJS.Timeout | undefined;

  add(reception: Reception): void {
    const rivals = [...this.#all].filter((one) => one.isArriving && one.isKnown === reception.isKnown);
    if (rivals.length >= (reception.isKnown ? MAX_ARRIVING.known : MAX_ARRIVING.others)) silentest(rivals)?.displace();
    this.#all.add(reception);
    this.#timer ??= setInterval(() => this.#endLate(), LOOK_MS).unref();
  }

  remove(reception: Reception): void {
    this.#all.delete(reception);
    if (this.#all.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #endLate(): void {
    const now = performance.now();
    for (const reception of this.#all) reception.endIfLate(now);
  }
}

/** Returns the reception that has been silent for longest, of the client with the most receptions. */
function silentest(receptions: readonly Reception[]): Reception | undefined {
  const counts = new Map<string, number>();
  for (const { client } of receptions) counts.set(client, (counts.get(client) ?? 0) + 1);
  const countOf = ({ client }: Reception): number => counts.get(client) ?? 0;
  return receptions.toSorted((a, b) => countOf(b) - countOf(a) || a.keptPaceAt - b.keptPaceAt)[0];
}
