import { Readable } from 'node:stream';
import { RequestTimeout } from '../../lib/errors.ts';
import { ByteCollector } from '../../lib/http/byte-collector.ts';
import { type Holder, tooMuchToDo } from './fair-queue.ts';
import type { Receptions } from './receptions.ts';

/**
 * Bytes of a body that are received without a place. Most bodies are shorter and need none; a client that sends nothing, or almost
 * nothing, never gets one.
 */
const FIRST_BYTES = 16 * 1024;

/** Bytes a second that a body must bring in the long run (Apache's `MinRate`). */
const LEAST_RATE = 500;

/** Bytes that must come within a time in milliseconds; a slower body gives its place to a request that waits for it. */
export type Pace = { bytes: number; ms: number };

/** The parts that a reception needs. */
export type ReceptionOptions = {
  receptions: Receptions;
  /** The sender of the body. */
  client: string;
  isKnown: boolean;
  /** Milliseconds for which no bytes of the body need to come. */
  graceMs: number;
  pace: Pace;
  /** Waits for a place for a body that is longer than its first bytes. */
  takePlace(holder: Holder): Promise<void>;
  /** Sees each piece of the body as it comes. */
  observe?: ((chunk: Buffer) => void) | undefined;
};

/**
 * The body of a request while it is received. Its first bytes come without a place. Then the body waits for a place, and flows. It fails with
 * RequestTimeout when it is slower than the least rate, with ServiceUnavailable when it is slow and another body needs its place, and with the errors
 * of `takePlace`. It does not count as late while the server itself does not read.
 */
export class Reception extends Readable implements Holder {
  readonly client: string;
  readonly isKnown: boolean;
  readonly #source: Readable;
  readonly #options: ReceptionOptions;
  readonly #first = new ByteCollector();
  #stage: 'new' | 'arriving' | 'waiting' | 'flowing' | 'over' = 'new';
  /** True while the server waits for bytes. */
  #isReading = false;
  #deadline = 0;
  /** The time at which it last kept its pace, and the bytes since then. */
  #kept = 0;
  #sinceKept = 0;

  constructor(source: Readable, options: ReceptionOptions) {
    super({ highWaterMark: 4 * FIRST_BYTES });
    this.client = options.client;
    this.isKnown = options.isKnown;
    this.#source = source;
    this.#options = options;
    // The body may fail after its reader has ended.
    this.on('error', () => {});
  }

  /** True while the body comes without a place. */
  get isArriving(): boolean {
    return this.#stage === 'arriving';
  }

  /** The time at which it last kept its pace, in milliseconds of `performance.now`. */
  get keptPaceAt(): number {
    return this.#kept;
  }

  /** Ends the body when it is slower than the least rate. */
  endIfLate(now: number): void {
    if (this.#isReading && now > this.#deadline) this.destroy(new RequestTimeout());
  }

  isSlow(now: number): boolean {
    return this.#isReading && now - this.#kept > this.#options.pace.ms;
  }

  displace(): void {
    this.destroy(tooMuchToDo());
  }

  override _read(): void {
    if (this.#stage === 'new') this.#begin();
    else if (this.#stage === 'flowing' && !this.#isReading) {
      this.#startClock();
      this.#source.resume();
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end();
    done(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#countOn(chunk.length);
    this.#options.observe?.(chunk);
    if (this.#stage === 'flowing') {
      if (!this.push(chunk)) this.#pause();
      return;
    }
    this.#first.add(chunk);
    if (this.#stage === 'arriving' && this.#first.length >= FIRST_BYTES) this.#waitForPlace();
  };

  readonly #onEnd = (): void => {
    this.#end();
    if (this.#first.length > 0) this.push(this.#first.take());
    this.push(null);
  };

  readonly #onCut = (): void => {
    this.destroy(new Error('The connection was cut'));
  };

  #begin(): void {
    if (this.#source.destroyed || this.#source.readableEnded) {
      this.#stage = 'over';
      if (this.#source.readableEnded) this.push(null);
      else this.#onCut();
      return;
    }
    this.#stage = 'arriving';
    this.#startClock();
    this.#options.receptions.add(this);
    this.#source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onCut).on('close', this.#onCut);
  }

  #waitForPlace(): void {
    this.#pause();
    this.#stage = 'waiting';
    this.#options.takePlace(this).then(
      () => {
        if (this.#stage !== 'waiting') return;
        this.#stage = 'flowing';
        if (!this.push(this.#first.take())) return;
        this.#startClock();
        this.#source.resume();
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #startClock(): void {
    const now = performance.now();
    this.#isReading = true;
    this.#deadline = now + this.#options.graceMs;
    this.#kept = now;
    this.#sinceKept = 0;
  }

  #countOn(bytes: number): void {
    const now = performance.now();
    this.#deadline = Math.min(now + this.#options.graceMs, this.#deadline + (bytes * 1000) / LEAST_RATE);
    this.#sinceKept += bytes;
    if (this.#sinceKept < this.#options.pace.bytes) return;
    this.#kept = now;
    this.#sinceKept = 0;
  }

  #pause(): void {
    this.#isReading = false;
    this.#source.pause();
  }

  /** Stops listening to the source, and does not close it. */
  #end(): void {
    this.#stage = 'over';
    this.#isReading = false;
    this.#options.receptions.remove(this);
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onCut).off('close', this.#onCut);
  }
}
