import { createServer, request } from 'node:http';
import { onEnd } from '../../scripts/lib/cleanup.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';

/**
 * A small proxy in front of several servers: each request goes to one of them at random, and the response says to which
 * (`X-Server`). Like real ones it tries another one when a connection is refused, but repeats nothing that a server may have begun.
 */
export async function startFront(targets) {
  const port = await freePort();
  const server = createServer((incoming, outgoing) => {
    const alive = targets().filter(({ isDown }) => !isDown);
    const first = Math.floor(Math.random() * Math.max(1, alive.length));
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
    incoming.on('end', () => forward(Buffer.concat(chunks), [...alive.slice(first), ...alive.slice(0, first)]));

    function forward(body, [target, ...others]) {
      if (target === undefined) return outgoing.writeHead(502).end();
      const { hostname, port: to } = new URL(target.url);
      const passed = request(
        { hostname, port: to, method: incoming.method, path: incoming.url, headers: incoming.headers },
        (response) => {
          outgoing.writeHead(response.statusCode, { ...response.headers, 'x-server': target.name });
          response.pipe(outgoing);
          response.on('error', () => outgoing.destroy());
        },
      );
      passed.on('error', (error) => {
        if (error.code === 'ECONNREFUSED' && !outgoing.headersSent) return forward(body, others);
        // Whether it was done is not known.
        return outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end();
      });
      return passed.end(body);
    }
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}` };
}
