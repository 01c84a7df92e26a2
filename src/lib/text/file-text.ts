const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const HEX = /^(?:[0-9a-f]{2})*$/i;

/** The error for a text of a file that cannot be decoded; the message has the reason. */
export class BrokenFileText extends Error {}

/** The bytes of a text in base64, also in the alphabet for addresses and with white space; undefined when the text is not base64, or is cut off. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(/\s+/g, '');
  return BASE64.test(compact) && compact.length % 4 === 0 ? Buffer.from(compact, 'base64') : undefined;
}

/**
 * The bytes of a file in JSON of the form `{data, encoding}`. As in Plone, a file without an encoding is text, which is stored in UTF-8. Throws
 * BrokenFileText.
 */
export function fileBytes(data: string, encoding: unknown): Buffer {
  switch (encoding ?? '') {
    case '':
    case 'utf-8':
    case 'utf8':
      return Buffer.from(data, 'utf8');
    case 'base64': {
      const bytes = decodeBase64(data);
      if (!bytes) throw new BrokenFileText('The data of the file is not base64.');
      return bytes;
    }
    case 'hex':
      if (!HEX.test(data)) throw new BrokenFileText('The data of the file is not hexadecimal.');
      return Buffer.from(data, 'hex');
    default:
      throw new BrokenFileText('The encoding of a file must be "base64", "hex" or "utf-8".');
  }
}

/** The problem of a large file that came as base64 without declaring it: it was decoded before its encoding was read. */
export const LARGE_FILE_TEXT =
  'A large file of letters and digits is taken as base64: say so with "encoding": "base64", or upload it.';
