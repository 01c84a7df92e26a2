import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that a receiver has got. */
export type Received = {
  headers: IncomingHttpHeaders;
  text: string;
  body: { id: string; type: string; data: { path: string; event: string } };
};

/** A receiver of messages, which answers with `status`. */
export async function startReceiver() {
  const received: Received[] = [];
  const state = { status: 204 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, text, body: JSON.parse(text || 'null') });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    state,
    /** Waits until a condition of the received requests holds. */
    async until(condition: (all: readonly Received[]) => boolean): Promise<void> {
      for (const ends = Date.now() + 20_000; !condition(received); ) {
        if (Date.now() > ends) throw new Error(`Received ${JSON.stringify(received.map(({ body }) => body))}`);
        await sleep(20);
      }
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
