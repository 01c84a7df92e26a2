import { Worker } from 'node:worker_threads';
import { packageFolder } from './process.ts';

/** The error for work in a thread that was ended because it took too much time or memory. */
export class WorkTooCostly extends Error {}

type Waiting = { resolve: (answer: unknown) => void; reject: (error: unknown) => void };

/**
 * A thread for work that would block the process. It runs a built module of the package, also when the server runs from its sources. The module
 * answers each message with one message.
 */
export class WorkerThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #ended: Error | undefined;

  /** @param module the path of the module below `dist/bundle`; `data` is its `workerData` */
  constructor(module: string, { data, maxHeapMb }: { data?: unknown; maxHeapMb: number }) {
    this.#worker = new Worker(packageFolder(`dist/bundle/${module}`), {
      workerData: data,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.on('message', (answer: unknown) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(answer);
    });
    this.#worker.on('error', (error: Error) => {
      const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(isFull ? new WorkTooCostly('It takes too much memory.') : error);
    });
    this.#worker.on('exit', () => this.#fail(new Error(`The thread of ${module} has ended`)));
  }

  /** True if the thread still takes messages. */
  get isUsable(): boolean {
    return this.#ended === undefined;
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#ended);
  }

  /**
   * Sends a message and returns the answer. Send only one message at a time.
   * @throws WorkTooCostly when it takes longer than `timeoutMs`, or too much memory; the thread has ended then
   */
  async ask(message: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#ended) throw this.#ended;
    if (this.#waiting) throw new Error('A thread is asked one thing at a time');
    const answer = new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    this.#worker.postMessage(message);
    const timer = setTimeout(() => {
      this.#fail(new WorkTooCostly('It takes too long.'));
      void this.end();
    }, timeoutMs);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the thread, also during work. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
