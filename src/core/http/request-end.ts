import type { Writable } from 'node:stream';

/** The reason for ending the work of a request whose client has disconnected. */
export class ClientLeft extends Error {
  constructor() {
    super('The client left before its response was ready');
    this.name = 'ClientLeft';
  }
}

/** Signals that the work for a request must end early: the client has disconnected, or its time is over. */
export class RequestEnd {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(response: Writable) {
    const leave = (): void => {
      if (!response.writableFinished) this.#controller.abort(new ClientLeft());
    };
    if (response.destroyed || response.closed) leave();
    else response.once('close', leave);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the work after so many milliseconds, for a reason that is sent to the client. */
  limit(milliseconds: number, reason: () => Error): void {
    this.#timer = setTimeout(() => this.#controller.abort(reason()), milliseconds).unref();
  }

  /** Says that the work is done in time. From now on, only a disconnect of the client ends the sending. */
  done(): void {
    clearTimeout(this.#timer);
  }
}
