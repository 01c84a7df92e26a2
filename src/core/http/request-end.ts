import type { Writable } from 'node:stream';
import type { WorkEnd } from '../../database/database.ts';

/** The reason for ending the work of a request whose client has disconnected. */
export class ClientLeft extends Error {
  constructor() {
    super('The client left before its response was ready');
    this.name = 'ClientLeft';
  }
}

/** Signals that the work for a request must end early: the client has disconnected, or its time is over. */
export class RequestEnd implements WorkEnd {
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #stops = new Set<(reason: Error) => void>();

  constructor(response: Writable) {
    const leave = (): void => {
      if (!response.writableFinished) this.#abort(new ClientLeft());
    };
    if (response.destroyed || response.closed) leave();
    else response.once('close', leave);
  }

  /** The signal, made when it is first wanted: most requests need none, and it is one of the dearest objects of a request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Throws the reason for ending the work, if there is one. */
  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
  }

  onOver(stop: (reason: Error) => void): () => void {
    this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  /** Ends the work after so many milliseconds, for a reason that is sent to the client. */
  limit(milliseconds: number, reason: () => Error): void {
    this.#timer = setTimeout(() => this.#abort(reason()), milliseconds).unref();
  }

  /** Says that the work is done in time. From now on, only a disconnect of the client ends the sending. */
  done(): void {
    clearTimeout(this.#timer);
  }

  #abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const stop of this.#stops) stop(reason);
  }
}
