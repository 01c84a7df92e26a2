import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { BackgroundWork } from '#core';
import { Slot } from '#lib/slots';

/** Channel on which Node announces each request that an HTTP server of the process receives. */
const CHANNEL = 'http.server.request.start';

const isRequestStart = (message: unknown): message is { response: ServerResponse } =>
  typeof message === 'object' && message !== null && 'response' in message;

/** The requests that the process has not finished yet, while it serves a site. */
export class RunningRequests {
  readonly #started = new Map<ServerResponse, number>();

  /** Starts to record requests, until it is closed. */
  watch(): BackgroundWork {
    const record = (message: unknown): void => {
      if (!isRequestStart(message)) return;
      const { response } = message;
      this.#started.set(response, performance.now());
      response.once('close', () => this.#started.delete(response));
    };
    subscribe(CHANNEL, record);
    return {
      async close() {
        unsubscribe(CHANNEL, record);
      },
    };
  }

  /** How many requests wait for a response for more than so many milliseconds. Responses that are being sent do not count. */
  longerThan(milliseconds: number): number {
    const before = performance.now() - milliseconds;
    let count = 0;
    for (const [response, started] of this.#started) if (started < before && !response.headersSent) count += 1;
    return count;
  }
}

/** The requests of the process that serves the kernel's site. */
export const RUNNING_REQUESTS = new Slot<RunningRequests>('running requests');
