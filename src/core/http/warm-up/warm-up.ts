import { setTimeout as pause } from 'node:timers/promises';
import { type RepeatedWork, repeatWork } from '../../../lib/process/repeat-work.ts';
import { MINUTE_MS } from '../../../lib/time/milliseconds.ts';
import { OBSERVED } from '../observed.ts';
import type { Server } from '../request-path.ts';
import { ASKED_LIST } from '../statements/asked-addresses.ts';
import { type AskedAddresses, type CountedAddress, keyOfAddress } from './asked-addresses.ts';
import { formatList, mergeLists, parseList, type StoredList } from './asked-list.ts';
import { askOneself } from './own-request.ts';

/** Milliseconds between two times that the counts of a process are added to the stored list. */
const SAVING_MS = 5 * MINUTE_MS;
/** Milliseconds after the start of the server: the first requests of visitors go first. */
const DELAY_MS = 500;
/** Milliseconds between two looks for a moment without requests. */
const LOOK_MS = 20;
/** Addresses that a process asks for after its start, and the milliseconds for that. */
const MAX_WARMED = 300;
const MAX_WARMING_MS = MINUTE_MS;

/**
 * Fills the caches of a process after its start: it asks for the addresses that visitors have asked for most before, one after the other, while no
 * other request is under way (docs/decisions/0026-warm-up.md). It stores what visitors ask for now and then, and when the process ends.
 */
export class WarmUp {
  readonly #server: Server;
  readonly #asked: AskedAddresses;
  readonly #stop = new AbortController();
  readonly #gone = new Set<string>();
  #warming: Promise<void> = Promise.resolve();
  #saving: RepeatedWork | undefined;

  constructor(server: Server, asked: AskedAddresses) {
    this.#server = server;
    this.#asked = asked;
  }

  /** Begins once the server listens. */
  begin(): void {
    const { log } = this.#server.kernel;
    this.#warming = this.#warm().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) log.warn({ err: error }, 'the warm-up has ended early');
    });
    this.#saving = repeatWork(() => this.#save(), {
      intervalMs: SAVING_MS,
      onError: (error) => log.warn({ err: error }, 'what was asked most could not be stored'),
    });
  }

  /** Ends the warm-up at once. */
  release(): void {
    this.#stop.abort();
  }

  async close(): Promise<void> {
    this.release();
    await this.#warming;
    if (!this.#saving) return;
    await this.#saving.close();
    await this.#save().catch((error: unknown) => {
      this.#server.kernel.log.warn({ err: error }, 'what was asked most could not be stored');
    });
  }

  async #warm(): Promise<void> {
    const { kernel, cache } = this.#server;
    const { signal } = this.#stop;
    await pause(DELAY_MS, undefined, { signal, ref: false });
    const stored = await ASKED_LIST.find(kernel.db);
    const addresses = stored ? mergeLists([this.#parse(stored)]).slice(0, MAX_WARMED) : [];
    if (addresses.length === 0) return;
    const { warmUp: counts } = kernel.slots.get(OBSERVED);
    const { evicted } = cache.counts;
    const began = performance.now();
    for (const address of addresses) {
      await this.#waitForQuiet(began + MAX_WARMING_MS);
      // More would displace what is asked for more often.
      if (performance.now() > began + MAX_WARMING_MS || cache.counts.evicted > evicted) break;
      const outcome = await askOneself(this.#server, address, signal);
      counts[outcome] += 1;
      if (outcome === 'gone') this.#gone.add(keyOfAddress(address));
    }
    const seconds = Math.round(performance.now() - began) / 1000;
    kernel.log.info({ ...counts, of: addresses.length, seconds }, 'the caches are warm: visitors asked for this most');
  }

  /** Waits for a moment in which no request is under way, until a time of `performance.now`. */
  async #waitForQuiet(ends: number): Promise<void> {
    const { arrivals, kernel } = this.#server;
    const { running } = kernel.slots.get(OBSERVED).requests;
    await arrivals.letIn();
    while (running.size > 0 && performance.now() < ends)
      await pause(LOOK_MS, undefined, { signal: this.#stop.signal, ref: false });
  }

  /** The addresses of a stored list; none, and a line in the log, for a list that cannot be used. */
  #parse(stored: StoredList): CountedAddress[] {
    const parsed = parseList(stored);
    if ('addresses' in parsed) return parsed.addresses;
    this.#server.kernel.log.warn({ reason: parsed.problem }, 'the list of what was asked most is not used');
    return [];
  }

  /** Adds the counts since the last time to the stored list, to which other processes add theirs. */
  async #save(): Promise<void> {
    if (this.#asked.size === 0 && this.#gone.size === 0) return;
    const counted = this.#asked.take();
    const gone = new Set(this.#gone);
    this.#gone.clear();
    try {
      await this.#server.kernel.db.transaction(async (tx) => {
        const stored = await ASKED_LIST.lock(tx);
        const before = mergeLists([stored ? this.#parse(stored) : []], gone);
        await ASKED_LIST.store(tx, formatList(mergeLists([before, counted])));
      });
    } catch (error) {
      for (const { count, ...address } of counted) this.#asked.count(address, count);
      for (const key of gone) this.#gone.add(key);
      throw error;
    }
  }
}
