import { BadRequest, Conflict } from '#lib/errors';
import { createWorkQueue } from '#lib/process/work-queue';
import { WorkerThread, WorkTooCostly } from '#lib/process/worker-thread';
import { type PatternRequest, type ReplaceText, requireLengths } from './replace-pattern.ts';
import type { Replaced } from './replace-thread.ts';

const THREAD = 'features/replace/replace-thread.js';
/** Maximum duration for the texts of one object. */
const MAX_TIME_MS = 2000;
/** Maximum duration of the start of a thread with the pattern. */
const MAX_START_MS = 10_000;
const MAX_HEAP_MB = 128;

/** Limits the simultaneous replacements of a process. No replacement waits, because it would occupy the place of another write. */
const queue = createWorkQueue({
  concurrency: 2,
  maxWaiting: 0,
  refusal: 'Too many replacements are going on. Try again later.',
  retryAfter: 20,
});

const isReplaced = (answer: unknown): answer is Replaced =>
  typeof answer === 'object' && answer !== null && ('changed' in answer || 'problem' in answer);

/** Replaces a pattern in the texts of many objects, in a thread with a deadline and a memory limit, so that no pattern blocks the process. */
class TextReplacer {
  readonly #request: PatternRequest;
  #thread: WorkerThread | undefined;

  /** Throws BadRequest for a pattern or a replacement that is too long. */
  constructor({ pattern, replacement, regularExpression, ignoreCase }: PatternRequest) {
    this.#request = { pattern, replacement, regularExpression, ignoreCase };
    requireLengths(this.#request);
  }

  async #ask(texts: readonly string[], timeoutMs: number): Promise<[number, string][]> {
    if (!this.#thread?.isUsable) {
      this.#thread = new WorkerThread(THREAD, { data: this.#request, maxHeapMb: MAX_HEAP_MB });
      if (texts.length > 0) await this.#ask([], MAX_START_MS);
    }
    try {
      const answer = await this.#thread.ask(texts, timeoutMs);
      if (!isReplaced(answer)) throw new Error('A thread has sent no replaced texts');
      if ('problem' in answer) throw new BadRequest(answer.problem);
      return answer.changed;
    } catch (error) {
      if (error instanceof WorkTooCostly) throw new BadRequest('The pattern takes too long here.');
      throw error;
    }
  }

  /** Compiles the pattern. */
  async start(): Promise<void> {
    await this.#ask([], MAX_START_MS);
  }

  /**
   * Returns a function that replaces the pattern in these texts. For other texts it throws Conflict, because they have been changed meanwhile.
   * @throws BadRequest when the search takes too long, or a text gets too long
   */
  async replaced(texts: ReadonlySet<string>): Promise<ReplaceText> {
    const list = [...texts];
    const changed = new Map(
      (texts.size === 0 ? [] : await this.#ask(list, MAX_TIME_MS)).map(([at, next]) => [list[at], next]),
    );
    return (text) => {
      if (!texts.has(text)) throw new Conflict('It was changed at the same time. Try again.');
      return changed.get(text) ?? text;
    };
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }
}

export type { TextReplacer };

/**
 * Runs work with a replacer, whose thread ends with the work.
 * @throws BadRequest for a pattern that cannot be used, TooManyRequests while others replace
 */
export function withReplacer<T>(request: PatternRequest, work: (replacer: TextReplacer) => Promise<T>): Promise<T> {
  return queue.run(async () => {
    const replacer = new TextReplacer(request);
    try {
      await replacer.start();
      return await work(replacer);
    } finally {
      await replacer.end();
    }
  });
}
