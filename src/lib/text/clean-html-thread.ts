/** The module of a thread that cleans HTML; `cleanHtml` starts the thread and ends it in time. */
import { parentPort } from 'node:worker_threads';
import { BadRequest } from '../errors.ts';
import { sanitizeHtml } from './sanitize-html.ts';

/** A cleaned text, or the reason why it cannot be cleaned. */
export type CleanedText = { html: string } | { problem: string };

function cleaned(html: string): CleanedText {
  try {
    return { html: sanitizeHtml(html) };
  } catch (error) {
    if (error instanceof BadRequest) return { problem: error.message };
    throw error;
  }
}

parentPort?.on('message', (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map(cleaned));
});
