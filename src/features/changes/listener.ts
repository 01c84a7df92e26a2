import { Readable } from 'node:stream';
import type { ChangeItem, ItemMaker } from './change-item.ts';
import type { PlacedItem, Reader } from './feed.ts';
import type { Place } from './statements/feed.ts';

/** Bytes that may wait for a client: a slower client is disconnected, and continues from its last event. */
const MAX_WAITING_BYTES = 256 * 1024;

/** A client that waits for changes. */
export type Listener = {
  reader: Reader;
  maker: ItemMaker;
  /** Listeners with one key get the same texts. */
  key: string;
  /** True if its rights may end while it waits; visitors have no such rights. */
  hasRights: boolean;
  /** The place up to which the client has everything. */
  place: Place;
  /** Gets the events behind `place` that the reader sees, at least one, and their text as server-sent events. */
  deliver(items: readonly PlacedItem[], through: Place, text: () => Buffer): void;
  /** Sends a sign of life; called from time to time. */
  beat(): void;
  /** Ends the response, so that the client connects again. */
  end(): void;
};

/** The text of an event, in the form of server-sent events. */
export const eventText = (item: ChangeItem, cursor: string): string =>
  `id: ${cursor}\nevent: ${item.event}\ndata: ${JSON.stringify(item)}\n\n`;

/** Milliseconds within which a client has to read the last bytes. */
const LAST_MS = 10_000;

/** The body of a response that is written when there are events. `onClose` is called once, at its end. */
export class PushStream extends Readable {
  readonly #onClose: () => void;
  #last: NodeJS.Timeout | undefined;

  constructor(onClose: () => void) {
    super({ highWaterMark: 0 });
    this.#onClose = onClose;
  }

  /**
   * Sends bytes. A client that has not read earlier bytes is disconnected; a client that has read all of them gets any number. Returns false when
   * nothing can be sent any more.
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

  /** Ends the body after the bytes that were sent. A client that does not read them is disconnected after a while. */
  finish(): void {
    if (this.destroyed || this.#last) return;
    this.#last = setTimeout(() => this.destroy(), LAST_MS).unref();
    this.push(null);
  }

  override _read(): void {
    // Nothing to do: `send` pushes the bytes.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#last);
    this.#onClose();
    done(error);
  }
}
