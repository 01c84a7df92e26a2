import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../src/core/http/body.ts';
import { BadRequest, PayloadTooLarge } from '../../src/lib/errors.ts';

const OPTIONS = {
  method: 'POST',
  contentType: 'application/json',
  contentLength: undefined,
  contentEncoding: undefined,
  maxValues: 1000,
};

async function* pieces(size: number, of: string) {
  for (const piece of of.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []) yield Buffer.from(piece);
}

describe('parsing a body', () => {
  it('a body exactly as long as the limit is accepted in pieces that cut characters', async () => {
    const bytes = Buffer.from('{"a":"ä€😀"}');
    const stream = Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(await parseJsonBody(stream, { ...OPTIONS, limit: bytes.length })).toEqual({ a: 'ä€😀' });
  });

  it('a body over the limit is discarded without destroying the connection', async () => {
    const stream = Readable.from(pieces(10, ' '.repeat(1000)));
    await expect(parseJsonBody(stream, { ...OPTIONS, limit: 50 })).rejects.toThrow(PayloadTooLarge);
    await new Promise((resolve) => stream.on('end', resolve));
    expect(stream.readableAborted).toBe(false);
  });

  it('a connection that breaks off is a mistake of the client', async () => {
    const stream = new Readable({ read() {} });
    stream.push('{"a":');
    setImmediate(() => stream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
    await expect(parseJsonBody(stream, { ...OPTIONS, limit: 50 })).rejects.toThrow(BadRequest);
  });
});
