import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { EmbeddingFailed, embed } from '../../src/features/related/embedding-client.ts';
import { OutsideService } from '../../src/lib/http/outside-service.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A service that always returns this response. */
async function service(status: number, text: string) {
  const server = createServer((_request, response) => response.writeHead(status).end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: 'm',
    apiKey: 'secret-key',
    service: new OutsideService('The service'),
  };
}

const failure = async (status: number, text: string): Promise<unknown> =>
  embed(await service(status, text), ['private text']).catch((error: unknown) => error);

it('the embedding client returns vectors of length 1 in the order of the texts', async () => {
  const data = [
    { index: 1, embedding: [0, -2] },
    { index: 0, embedding: [3, 4] },
  ];
  const vectors = await embed(await service(200, JSON.stringify({ data })), ['a', 'b']);
  expect(vectors).toEqual([
    [0.6, 0.8],
    [0, -1],
  ]);
});

it.each([
  ['no JSON', 'oops'],
  ['no list', '{}'],
  ['too few vectors', '{"data":[]}'],
  ['a vector of texts', '{"data":[{"index":0,"embedding":["1"]}]}'],
  ['a vector without a direction', '{"data":[{"index":0,"embedding":[0,0]}]}'],
  ['a vector that is too long', JSON.stringify({ data: [{ index: 0, embedding: Array(20_000).fill(1) }] })],
  ['an endless response', `"${'x'.repeat(33 * 1024 * 1024)}"`],
])('the embedding client fails on %s', async (_what, text) => {
  const error = await failure(200, text);
  expect(error).toBeInstanceOf(EmbeddingFailed);
  expect(error).toMatchObject({ refused: false });
});

it.each([
  [400, true],
  [413, true],
  [401, false],
  [404, false],
  [429, false],
  [500, false],
])('the embedding client takes status %d as a fault of the texts: %s', async (status, refused) => {
  const error = await failure(status, 'private text secret-key');
  expect(error).toMatchObject({ name: 'EmbeddingFailed', refused });
  expect(String(error)).not.toMatch(/private|secret/);
});

it('the embedding client fails when the service is not there', async () => {
  const gone = {
    url: 'http://127.0.0.1:1/v1',
    model: 'm',
    apiKey: undefined,
    service: new OutsideService('The service'),
  };
  await expect(embed(gone, ['x'])).rejects.toThrow(EmbeddingFailed);
});
