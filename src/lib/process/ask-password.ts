import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Maximum length in characters of a password from standard input. */
const MAX_INPUT_LENGTH = 10_000;

/** Asks for a password on a terminal, without showing what is typed. Rejects when the input ends before. */
export async function askPassword(
  prompt: string,
  { input, output }: { input: Readable; output: NodeJS.WritableStream },
): Promise<string> {
  output.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('close', () => reject(new Error('No password was given.')));
      reader.once('SIGINT', () => reader.close());
    });
  } finally {
    reader.close();
    output.write('\n');
  }
}

/** Reads a password from a stream to its end: the first line. */
export async function readPassword(input: Readable): Promise<string> {
  const [line = ''] = (await text(input)).slice(0, MAX_INPUT_LENGTH).split(/\r?\n/);
  return line;
}
