import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request that a cache got. */
export type CacheRequest = {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  body: string;
};

/** A whole request in what a connection has sent; undefined before its end. Node's own parser does not know the method BAN. */
function parseRequest(text: string): CacheRequest | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  const body = rest.join('\r\n\r\n');
  if (rest.length === 0 || body.length < Number(headers['content-length'] ?? 0)) return undefined;
  const [method = '', path = ''] = line.split(' ');
  return { method, path, headers, body };
}

/** Starts a server in place of a cache: it records the requests that it gets, and responds with `status`. */
export async function startCacheStub() {
  const requests: CacheRequest[] = [];
  const sockets = new Set<Socket>();
  const stub = { status: 200 };
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      const request = parseRequest(text);
      if (!request) return;
      requests.push(request);
      socket.end(
        `HTTP/1.1 ${stub.status} Status\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    respondWith(status: number) {
      stub.status = status;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export type CacheStub = Awaited<ReturnType<typeof startCacheStub>>;
