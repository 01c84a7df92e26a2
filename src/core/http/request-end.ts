import type { ServerResponse } from 'node:http';

/** The reason why the work for a request was broken off: nobody waits for the response. */
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

  constructor(response: ServerResponse) {
    const leave = (): void => {
      if (!response.writableFinished) this.#controller.abort(new ClientLeft());
    };
    if (response.destroyed || response.closed) leave();
    else response.once('close', leave);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the work after so many milliseconds, for a reason that the client gets to know. */
  limit(milliseconds: number, reason: () => Error): void {
    this.#timer = setTimeout(() => this.#controller.abort(reason()), milliseconds).unref();
  }

  /** The work is done in time. What is still to be sent ends with the client only. */
  done(): void {
    clearTimeout(this.#timer);
  }
}
