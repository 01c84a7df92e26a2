import { ValidationFailed } from '../../lib/errors.ts';
import type { ByteSource } from './byte-source.ts';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Base64 as JSON may write it: some clients escape its characters, others break its lines. */
const IN_JSON = /^(?:[A-Za-z0-9+/_=\s-]|\\(?:[/nrt]|u00[0-7][0-9a-fA-F]))*(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/;
const ESCAPE = /\\(?:([/nrt])|u(00[0-7][0-9a-fA-F]))/g;
/** The beginning of an escape whose rest has not come yet. */
const UNFINISHED = /\\(?:u[0-9a-fA-F]{0,3})?$/;
const QUOTE = '"';

/** Says if the beginning of a string in JSON, without its quote, may be that of a file as base64. */
export const looksLikeBase64 = (beginning: Buffer): boolean => IN_JSON.test(beginning.toString('latin1'));

function unescaped(text: string): string {
  const plain = text.includes('\\')
    ? text.replace(ESCAPE, (_, letter: string | undefined, code: string | undefined) =>
        code === undefined ? (letter === '/' ? '/' : ' ') : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
  return plain.replace(/\s+/g, '');
}

/**
 * The bytes of a file that stands as base64 in a string of JSON, decoded as they come. The source must be at the first character of the string;
 * afterwards it is behind the closing quote. Throws ValidationFailed about `field` when the string is no base64, or when the body ends first.
 */
export async function* decodeBase64String(source: ByteSource, field: string): AsyncGenerator<Buffer> {
  const reject = (): never => {
    throw new ValidationFailed([{ field, message: 'The data of the file is not base64.' }]);
  };
  let unfinished = '';
  let rest = '';
  let padded = false;
  let length = 0;
  for (;;) {
    const chunk = await source.next();
    if (chunk === undefined) return reject();
    const text = unfinished + chunk.toString('latin1');
    const end = text.indexOf(QUOTE);
    if (end !== -1) source.pushBack(chunk.subarray(end - unfinished.length + 1));
    const string = end === -1 ? text : text.slice(0, end);
    unfinished = UNFINISHED.exec(string)?.[0] ?? '';
    if (end !== -1 && unfinished !== '') reject();
    const characters = unescaped(string.slice(0, string.length - unfinished.length));
    if (padded ? /[^=]/.test(characters) : !BASE64.test(characters)) reject();
    padded ||= characters.endsWith('=');
    rest += characters;
    length += characters.length;
    if (end !== -1 && length % 4 !== 0) reject();
    const whole = end === -1 ? rest.length - (rest.length % 4) : rest.length;
    if (whole > 0) yield Buffer.from(rest.slice(0, whole), 'base64');
    rest = rest.slice(whole);
    if (end !== -1) return;
  }
}
