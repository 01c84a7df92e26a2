import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../src/core/http/body.ts';
import { ReceivedBytes } from '../../src/core/types/field-kind.ts';
import { BadRequest, PayloadTooLarge, ValidationFailed } from '../../src/lib/errors.ts';

const MEBIBYTE = 1024 * 1024;

/** Parses a body that arrives in pieces of a given size, with a store for its files. */
async function parse(text: string, size = 64 * 1024) {
  const stored: Buffer[] = [];
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const body = await parseJsonBody(Readable.from(pieces), {
    method: 'POST',
    contentType: 'application/json',
    contentLength: undefined,
    contentEncoding: undefined,
    maxValues: 1000,
    limit: 64 * MEBIBYTE,
    async storeFile(source) {
      const file = await buffer(source);
      stored.push(file);
      return { hash: createHash('sha256').update(file).digest('hex'), size: file.length };
    },
  });
  return { body, stored };
}
const FILE = randomBytes(2 * MEBIBYTE + 1);
const BASE64 = FILE.toString('base64');

describe('a large body with files', () => {
  it.each([1000, 4097, 65_536, 10 * MEBIBYTE])(
    'files in a body are stored as they arrive, in pieces of %d bytes',
    async (size) => {
      const sent = {
        '@type': 'File',
        file: { data: BASE64, filename: 'ä.bin', encoding: 'base64' },
        image: { data: BASE64 },
        title: 'T',
      };
      const { body, stored } = await parse(JSON.stringify(sent), size);
      expect(stored.map((file) => file.equals(FILE))).toEqual([true, true]);
      const data = new ReceivedBytes(
        { hash: createHash('sha256').update(FILE).digest('hex'), size: FILE.length },
        { wasBase64: true },
      );
      expect(body).toEqual({ ...sent, file: { ...sent.file, data }, image: { data } });
    },
  );

  it.each([
    ['escaped slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['escaped plus signs', (text: string) => text.replaceAll('+', '\\u002B')],
    ['broken lines', (text: string) => text.replace(/.{76}/g, '$&\\r\\n')],
    ['the alphabet of addresses', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['no padding', (text: string) => text.replace(/=+$/, '')],
  ])('a body may have files with %s', async (_, write) => {
    for (const size of [997, 65_536]) {
      const { stored } = await parse(`{"file": {"data": "${write(BASE64)}"}}`, size);
      expect(stored[0]?.equals(FILE)).toBe(true);
    }
  });

  it.each([
    ['other characters', `${BASE64.slice(0, MEBIBYTE)}*${BASE64.slice(MEBIBYTE)}`],
    ['more behind the padding', `${BASE64.slice(0, MEBIBYTE)}==${BASE64.slice(MEBIBYTE)}`],
    ['three characters of padding', `${BASE64.replace(/=+$/, '')}===`],
    ['an escaped quote', `${BASE64.slice(0, MEBIBYTE)}\\"${BASE64}`],
  ])('a body with %s in a file is rejected with the field', async (_, data) => {
    const error = await parse(`{"title": "x", "file": {"data": "${data}"}}`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationFailed);
    expect((error as ValidationFailed).problems).toEqual([
      { field: 'file', message: 'The data of the file is not base64.' },
    ]);
  });

  it('a body that ends within a file, or is no JSON after it, is rejected', async () => {
    await expect(parse(`{"file": {"data": "${BASE64}`)).rejects.toThrow(ValidationFailed);
    await expect(parse(`{"file": {"data": "${BASE64}"}`)).rejects.toThrow(BadRequest);
    await expect(parse(`{"file": {"data": "${BASE64}" "x"}}`)).rejects.toThrow(BadRequest);
    await expect(parse(`[{"file": {"data": "${BASE64}"}}]`)).rejects.toThrow(BadRequest);
  });

  it('texts of a body that are no files are kept, wherever they are', async () => {
    const long = 'a b<'.repeat(300_000);
    const sent = {
      text: { data: long },
      blocks: { a: { data: BASE64 }, b: [{ data: BASE64 }] },
      data: BASE64,
      list: [{ data: BASE64 }],
      quoted: { data: `"${long}\\` },
    };
    const { body, stored } = await parse(JSON.stringify(sent));
    expect(stored).toEqual([]);
    expect(body).toEqual(sent);
  });

  it('a body has at most 16 MiB of texts', async () => {
    await expect(parse(JSON.stringify({ title: '<'.repeat(17 * MEBIBYTE) }))).rejects.toThrow(PayloadTooLarge);
  });

  it('a body with files means the same as when it is parsed at once, whatever it contains', async () => {
    const padding = ' '.repeat(MEBIBYTE);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 50_000 }),
        async (value, size) => {
          const text = JSON.stringify(value);
          expect((await parse(padding + text, size + 1000)).body).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 30 },
    );
  });
});
