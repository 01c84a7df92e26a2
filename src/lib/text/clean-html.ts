import { BadRequest } from '../errors.ts';
import { createWorkQueue } from '../process/work-queue.ts';
import { WorkerThread, WorkTooCostly } from '../process/worker-thread.ts';
import type { CleanedText } from './clean-html-thread.ts';

/** Maximum duration for the texts of one write: the largest HTML takes less than half of it. */
const MAX_TIME_MS = 10_000;
const MAX_HEAP_MB = 256;

/** Limits the threads of a process that clean HTML at once, and the writes that wait for a thread. */
const queue = createWorkQueue({
  concurrency: 2,
  maxWaiting: 30,
  refusal: 'Too many long texts are being saved. Try again later.',
  retryAfter: 10,
});

const isCleaned = (answer: unknown, length: number): answer is CleanedText[] =>
  Array.isArray(answer) && answer.length === length;

/**
 * Cleans texts in a thread, as `sanitizeHtml` does each: the process does other work meanwhile.
 * @throws BadRequest when it takes too long or too much memory, TooManyRequests when too many wait
 */
export function cleanHtml(texts: readonly string[]): Promise<Map<string, CleanedText>> {
  return queue.run(async () => {
    const thread = new WorkerThread('lib/text/clean-html-thread.js', { maxHeapMb: MAX_HEAP_MB });
    try {
      const answer = await thread.ask(texts, MAX_TIME_MS);
      if (!isCleaned(answer, texts.length)) throw new Error('A thread has sent no cleaned texts');
      return new Map(answer.map((text, at) => [texts[at] ?? '', text]));
    } catch (error) {
      if (!(error instanceof WorkTooCostly)) throw error;
      throw new BadRequest('The HTML takes too long to clean: save it in parts.');
    } finally {
      await thread.end();
    }
  });
}
