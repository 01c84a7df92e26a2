import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Groups of words with one meaning each; the vector of a text counts how often each meaning occurs. */
const MEANINGS = [
  ['otter', 'seal', 'walrus'],
  ['river', 'lake', 'ocean'],
  ['engine', 'locomotive', 'steam'],
  ['bread', 'cake', 'oven'],
];

/** How the stub responds: with vectors or with an error status. */
type StubMode = { status: number; reject?: string };

/** A local service with OpenAI's API for embeddings, over HTTP. */
export type EmbeddingStub = {
  url: string;
  requests: { authorization: string | undefined; path: string | undefined; model: string; input: string[] }[];
  mode: StubMode;
  close(): Promise<void>;
};

/** Texts of similar meaning get similar vectors; a text without known words gets a vector of its own. */
const vectorOf = (text: string): number[] => {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const counts = MEANINGS.map(
    (meaning) => words.filter((word) => meaning.some((root) => word.startsWith(root))).length,
  );
  return [...counts, counts.some((count) => count > 0) ? 0 : 1];
};

/** Starts the stub on a free port. */
export async function startEmbeddingStub(): Promise<EmbeddingStub> {
  const stub: Pick<EmbeddingStub, 'requests' | 'mode'> = { requests: [], mode: { status: 200 } };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    stub.requests.push({ authorization: request.headers.authorization, path: request.url, model, input });
    const { status, reject } = stub.mode;
    const refused = reject !== undefined && input.some((text: string) => text.includes(reject));
    response.writeHead(refused ? 400 : status, { 'Content-Type': 'application/json' });
    const data = input.map((text: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text),
    }));
    // The order differs from that of the request: clients must use the index.
    response.end(
      JSON.stringify(refused || status !== 200 ? { error: 'no' } : { object: 'list', data: data.reverse() }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
