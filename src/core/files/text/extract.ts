import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { packageFolder } from '../../../lib/process/process.ts';
import { BlobMissing, type BlobStore } from '../blobs/blob-store.ts';
import { MAX_FILE_BYTES, MAX_TEXT_LENGTH } from './formats.ts';

/** Maximum milliseconds for one file, and maximum megabytes of the heap of JavaScript. */
const MAX_TIME_MS = 60_000;
const MAX_HEAP_MB = 384;
/** Maximum bytes that are read from the output of the process. */
const MAX_OUTPUT_BYTES = 4 * MAX_TEXT_LENGTH;
const MAX_REASON_LENGTH = 300;

/** The text of a file, or the reason for its absence. The reason is final: another attempt would fail as well. */
export type Extracted = { text: string } | { reason: string };

/** The child is the built file, also when the server runs from its sources. */
const childPath = (): string => packageFolder('dist/bundle/core/files/text/child.js');

/** Reads a stream up to a number of bytes, and drops the rest. */
async function readSome(stream: NodeJS.ReadableStream, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let left = most;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk).subarray(0, left);
    left -= bytes.length;
    if (bytes.length > 0) chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Gets the text of a stored file in a process of its own, with bounds on its time and memory, and with an empty environment. The bytes are streamed
 * from any blob store. Throws when the store fails, and the reason of `signal`.
 */
export async function extractText(
  blobs: Pick<BlobStore, 'open' | 'size'>,
  { hash, format }: { hash: string; format: string },
  { signal, timeout = MAX_TIME_MS }: { signal: AbortSignal; timeout?: number },
): Promise<Extracted> {
  signal.throwIfAborted();
  const size = await blobs.size(hash);
  if (size === undefined) return { reason: new BlobMissing(hash).message };
  if (size > MAX_FILE_BYTES) return { reason: `It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.` };
  const source = await blobs.open(hash);
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, childPath(), format], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
    signal,
  });
  const ended = new Promise<{ code: number | null; error?: Error }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }));
    child.once('close', (code) => resolve({ code }));
  });
  // A child that ends early closes its input. Then the reason of the child counts, but a failure of the store is thrown.
  let failed: unknown;
  source.once('error', (error) => {
    failed = error;
  });
  const fed = pipeline(source, child.stdin).catch(() => {});
  const [text, said, { code, error }] = await Promise.all([
    readSome(child.stdout, MAX_OUTPUT_BYTES),
    readSome(child.stderr, 10_000),
    ended,
    fed,
  ]);
  signal.throwIfAborted();
  if (failed !== undefined && code !== 0) throw failed;
  if (error) throw error;
  if (code === 0) return { text: text.toWellFormed().slice(0, MAX_TEXT_LENGTH) };
  const reason = code === 1 ? said : 'It needed too much time or memory.';
  return { reason: reason.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_REASON_LENGTH) };
}
