/**
 * A process that gets the text of one file and ends: `child.js <format>` reads the file from its input and writes the text. `extract.ts` starts it
 * with bounds on its time and memory, so that no file can harm the server.
 */
import { getDocumentProxy } from 'unpdf';
import { messageOf } from '../../../lib/errors.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import { htmlWords } from '../../../lib/text/html-words.ts';
import { MAX_FILE_BYTES, MAX_TEXT_LENGTH } from './formats.ts';
import { isOffice, officeText } from './office.ts';
import { rtfText } from './rtf.ts';

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_FILE_BYTES) throw new Error('It is too large.');
    chunks.push(bytes);
  }
  // A copy in its own memory, because small buffers share memory, and PDF.js takes over the memory that it gets.
  return new Uint8Array(Buffer.concat(chunks));
}

/** Decodes bytes as text: by their byte order mark, else as UTF-8, else in the Western code page. */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(bytes);
    throw error;
  }
}

/** The text of a piece of a page, with a space behind the last piece of a line. */
const pieceText = (piece: unknown): string =>
  isJsonObject(piece) && typeof piece.str === 'string' ? `${piece.str}${piece.hasEOL === true ? ' ' : ''}` : '';

/** The text of a PDF, page by page as far as the limit goes. */
async function pdfText(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= document.numPages && length < MAX_TEXT_LENGTH; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const text = [...items].map(pieceText).join('');
    length += text.length;
    pages.push(text);
  }
  return pages.join(' ');
}

function textOf(format: string, bytes: Uint8Array): Promise<string> | string {
  if (format === 'pdf') return pdfText(bytes);
  if (isOffice(format)) return officeText(bytes, format);
  const text = decoded(bytes);
  if (format === 'html') return htmlWords(text);
  return format === 'rtf' ? rtfText(text) : text;
}

// Warnings of libraries must not be written into the text.
for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = () => {};

async function writeText(): Promise<void> {
  try {
    const text = await textOf(process.argv[2] ?? '', await readInput());
    const clean = text
      .slice(0, MAX_TEXT_LENGTH)
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    process.stdout.write(clean);
  } catch (error) {
    process.stderr.write(messageOf(error));
    process.exitCode = 1;
  }
}

void writeText();
