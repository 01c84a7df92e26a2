import { createReadStream } from 'node:fs';
import {
  type ByteRange,
  type ExportFolder,
  isFileError,
  MAX_JSON_BYTES,
  type ProblemLog,
  parseJson,
  utf16Of,
} from '@canopy-server/site-reader';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Streams a JSON file that holds one list: yields one element at a time with its byte range in the file. An element
 * that is broken or too large is reported and left out; with `optional` an absent file is an empty list.
 */
export async function* streamJsonList(
  folder: ExportFolder,
  name: string,
  problems: ProblemLog,
  { optional = false } = {},
): AsyncGenerator<{ range: ByteRange; value: unknown }> {
  const found = await folder.locate(name);
  if (!found) {
    if (!optional)
      problems.add({ reason: 'unreadable', file: name, message: 'The file is missing or lies outside of the export.' });
    return;
  }
  const splitter = createSplitter();
  try {
    for await (const chunk of createReadStream(found.path, { highWaterMark: 256 * 1024 })) {
      if (splitter.isNew() && utf16Of(chunk) !== undefined) {
        problems.add({ reason: 'unreadable', file: name, message: 'The list is in UTF-16. Save the file as UTF-8.' });
        return;
      }
      for (const { range, bytes } of splitter.push(chunk)) {
        const element = parseElement(name, range, bytes, problems);
        if (element) yield element;
      }
      if (splitter.failure()) break;
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    problems.add({ reason: 'unreadable', file: name, message: `Cannot be read: ${error.message}` });
    return;
  }
  const failure = splitter.failure() ?? splitter.unfinished();
  if (failure) problems.add({ reason: 'unreadable', file: name, message: failure });
}

type RawElement = { range: ByteRange; bytes: Uint8Array | null };

interface Splitter {
  /** True before the first push. */
  isNew(): boolean;
  /** The elements that end in this chunk; `bytes` is null for an element that is too large. */
  push(chunk: Buffer): RawElement[];
  /** The reason why the text is not a list; null as long as it can be one. */
  failure(): string | null;
  /** The reason why the text cannot end here; null when it can. */
  unfinished(): string | null;
}

/** Splits a text at the commas of the outermost list; the JSON parser handles the parts between them. */
function createSplitter(): Splitter {
  let position = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isDone = false;
  let failure: string | null = null;
  let start = 0;
  let kept: Buffer[] = [];
  let isNonBlank = false;

  const keep = (part: Buffer, end: number): void => {
    if (end - start <= MAX_JSON_BYTES) kept.push(Buffer.from(part));
    else kept = [];
  };

  return {
    isNew: () => position === 0,
    push(chunk) {
      const elements: RawElement[] = [];
      let from = 0;
      for (let i = 0; i < chunk.length && !failure; i += 1) {
        const byte = chunk[i] ?? 0;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
          continue;
        }
        const at = position + i;
        if (depth === 0) {
          if (byte === OPEN_LIST && !isDone) {
            depth = 1;
            from = i + 1;
            start = at + 1;
          } else if (!isBlank(byte) && byte !== BYTE_ORDER_MARK[at]) {
            failure = isDone ? 'There is more text after the list.' : 'The file does not hold a list.';
          }
          continue;
        }
        if (depth === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
          if (isNonBlank) {
            keep(chunk.subarray(from, i), at);
            const isTooLarge = at - start > MAX_JSON_BYTES;
            elements.push({ range: { start, end: at }, bytes: isTooLarge ? null : Buffer.concat(kept) });
          }
          kept = [];
          isNonBlank = false;
          from = i + 1;
          start = at + 1;
          isDone = byte === CLOSE_LIST;
          if (isDone) depth = 0;
          continue;
        }
        if (isBlank(byte)) continue;
        isNonBlank = true;
        if (byte === QUOTE) isInString = true;
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
        else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
      }
      position += chunk.length;
      if (depth > 0) keep(chunk.subarray(from), position);
      return elements;
    },
    failure: () => failure,
    unfinished: () => (isDone ? null : depth > 0 ? 'The file ends within the list.' : 'The file does not hold a list.'),
  };
}

function parseElement(
  name: string,
  range: ByteRange,
  bytes: Uint8Array | null,
  problems: ProblemLog,
): { range: ByteRange; value: unknown } | null {
  const place = `element at byte ${range.start}`;
  if (!bytes) {
    problems.add({
      reason: 'unreadable',
      file: name,
      message: `The ${place} is larger than ${MAX_JSON_BYTES} bytes and is left out.`,
    });
    return null;
  }
  try {
    return { range, value: parseJson(bytes, (oddity) => problems.add({ file: name, ...oddity })) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    problems.add({ reason: 'unreadable', file: name, message: `The ${place} cannot be read: ${error.message}` });
    return null;
  }
}
