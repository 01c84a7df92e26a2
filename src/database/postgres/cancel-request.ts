import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';

/** Milliseconds that an order to stop a statement may take. */
const CANCEL_TIMEOUT_MS = 2_000;

/** The code of a CancelRequest in the protocol of PostgreSQL. */
const CANCEL_CODE = 80_877_102;

/** A number of a connection that the driver has, but not in its types. */
function numberOf(client: pg.ClientBase, name: string): number {
  const value: unknown = Reflect.get(client, name);
  if (typeof value !== 'number') throw new Error(`The connection has no ${name}`);
  return value;
}

/** The process at the other end, as the server named it when the connection began; a pooler invents a number. */
export const toldProcess = (client: pg.ClientBase): number => numberOf(client, 'processID');

/**
 * Orders the server at `host` and `port` to stop the statement of a connection. The protocol requires a new connection for the order, with the
 * numbers that the first connection got at its start. Like libpq it uses no TLS for it. A pooler passes the order on to the server that runs the
 * statement. Resolves once the order is received; throws when no server receives it.
 */
export async function requestCancel(
  client: pg.ClientBase,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const order = Buffer.alloc(16);
  order.writeInt32BE(order.length, 0);
  order.writeInt32BE(CANCEL_CODE, 4);
  order.writeInt32BE(toldProcess(client), 8);
  order.writeInt32BE(numberOf(client, 'secretKey'), 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  try {
    socket.write(order);
    // The server closes the connection without a response.
    await once(socket.resume(), 'end', { signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) });
  } finally {
    socket.destroy();
  }
}
