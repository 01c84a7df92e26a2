import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';

const isResponseStart = (message: unknown): message is { response: ServerResponse } =>
  typeof message === 'object' && message !== null && 'response' in message;

/** The requests that this process is answering: Node tells of each one that begins. */
class RunningRequests {
  readonly #started = new Map<ServerResponse, number>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      if (!isResponseStart(message)) return;
      const { response } = message;
      this.#started.set(response, performance.now());
      response.once('close', () => this.#started.delete(response));
    });
  }

  /** How many have no answer yet after so many milliseconds. Long downloads do not count: their answer has begun. */
  longerThan(milliseconds: number): number {
    const before = performance.now() - milliseconds;
    let count = 0;
    for (const [response, started] of this.#started) if (started < before && !response.headersSent) count += 1;
    return count;
  }
}

/** One for the process, as it has one server. */
export const runningRequests = new RunningRequests();
