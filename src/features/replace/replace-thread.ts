/** The module of a thread that replaces a pattern in texts: `TextReplacer` starts the thread, and ends it at the deadline. */
import { parentPort, workerData } from 'node:worker_threads';
import { BadRequest } from '#lib/errors';
import { type PatternRequest, type ReplaceText, replacePattern } from './replace-pattern.ts';

/** The changed texts of one message, by their places in it, or the problem of the pattern. */
export type Replaced = { changed: [number, string][] } | { problem: string };

/** Runs work, and returns the message of a BadRequest, which is all that the other thread needs. */
function attempt<T extends object>(work: () => T): T | { problem: string } {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadRequest) return { problem: error.message };
    throw error;
  }
}

// Only `TextReplacer` starts the thread, and sends data of these types.
const compiled = attempt((): { replace: ReplaceText } => ({ replace: replacePattern(workerData as PatternRequest) }));

parentPort?.on('message', (texts: readonly string[]) => {
  const answer: Replaced = attempt(() => {
    if ('problem' in compiled) return compiled;
    const changed = texts.flatMap((text, at): [number, string][] => {
      const next = compiled.replace(text);
      return next === text ? [] : [[at, next]];
    });
    return { changed };
  });
  parentPort?.postMessage(answer);
});
