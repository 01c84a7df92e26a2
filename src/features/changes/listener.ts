import { Readable } from 'node:stream';
import type { ChangeItem, ItemMaker } from './change-item.ts';
import type { PlacedItem, Reader } from './feed.ts';
import type { Place } from './statements/feed.ts';

/** Bytes that may wait for a client: one that reads more slowly is disconnected, and goes on from its last event. */
const MAX_WAITING_BYTES = 256 * 1024;

/** A client that waits for changes. */
export type Listener = {
  reader: Reader;
  maker: ItemMaker;
  /** Listeners with one key get the same texts. */
  key: string;
  /** Its rights may end while it waits: visitors have none that could. */
  hasRights: boolean;
  /** The place up to which it has everything. */
  place: Place;
  /** Gets the events behind `place` that the reader sees, at least one, and their text as server-sent events. */
  deliver(items: readonly PlacedItem[], through: Place, text: () => Buffer): void;
  /** Is called from time to time. */
  beat(): void;
  /** The client is to come back. */
  end(): void;
};

/** The text of an event, in the form of server-sent events. */
export const eventText = (item: ChangeItem, cursor: string): string =>
  `id: ${cursor}\nevent: ${item.event}\ndata: ${JSON.stringify(item)}\n\n`;

/** Milliseconds in which a client takes the last bytes. */
const LAST_MS = 10_000;

/** The body of a response that is written when there is something to say. `onClose` is called once, at its end. */
export class PushStream extends Readable {
  readonly #onClose: () => void;
  #last: NodeJS.Timeout | undefined;

  constructor(onClose: () => void) {
    super({ highWaterMark: 0 });
    this.#onClose = onClose;
  }

  /**
   * Sends bytes. A client that does not read what was sent before is disconnected; one that has read all gets them, however many they are.
   * Returns false where nothing can be sent any more.
   */
  send(bytes: Buffer): boolean {
    if (this.destroyed || this.#last) return false;
    if (this.readableLength > 0 && this.readableLength + bytes.length > MAX_WAITING_BYTES) {
      this.destroy();
      return false;
    }
    this.push(bytes);
    return true;
  }

  /** Ends it behind the bytes that were sent. A client that does not read them is disconnected after a while. */
  finish(): void {
    if (this.destroyed || this.#last) return;
    this.#last = setTimeout(() => this.destroy(), LAST_MS).unref();
    this.push(null);
  }

  override _read(): void {
    // Everything is pushed when it is there.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#last);
    this.#onClose();
    done(error);
  }
}
