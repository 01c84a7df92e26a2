import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';

/** Milliseconds that an order to stop a statement may take. */
const CANCEL_TIMEOUT_MS = 2_000;

/** The code of a CancelRequest in the protocol of PostgreSQL. */
const CANCEL_CODE = 80_877_102;

/** A number that the driver has of a connection, but not in its types. */
function numberOf(client: pg.ClientBase, name: string): number {
  const value: unknown = Reflect.get(client, name);
  if (typeof value !== 'number') throw new Error(`The connection has no ${name}`);
  return value;
}

/** The process at the other end, as the server named it when the connection began; a pooler invents a number. */
export const toldProcess = (client: pg.ClientBase): number => numberOf(client, 'processID');

/**
 * Orders the server at `host` and `port` to stop what a connection does, as the protocol has it: on a connection of its own, with
 * the numbers that the first one got when it began. Like libpq it needs no TLS for that. A pooler passes the order on to
 * whichever server runs the statement. Resolves once the order is taken; throws when nobody takes it.
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
    // The server closes the connection without a word.
    await once(socket.resume(), 'end', { signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) });
  } finally {
    socket.destroy();
  }
}
