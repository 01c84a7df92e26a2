import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Starts a TCP proxy in front of the server of an address of PostgreSQL. Returns the address through the proxy, `cut()`, which
 * cuts all connections, and `refuse(isRefusing)`, which rejects new ones.
 */
export async function proxyOf(databaseUrl) {
  const direct = new URL(databaseUrl);
  const target = { host: direct.hostname || '127.0.0.1', port: Number(direct.port || 5432) };
  const clients = new Set();
  let refusing = false;
  const server = createServer((client) => {
    if (refusing) return client.resetAndDestroy();
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
    clients.add(client);
    return client.on('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const proxied = new URL(direct);
  proxied.host = `127.0.0.1:${server.address().port}`;
  return {
    url: proxied.href,
    cut: () => {
      for (const client of clients) client.destroy();
    },
    refuse: (isRefusing) => {
      refusing = isRefusing;
    },
  };
}
