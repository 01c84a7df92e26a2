import type { FastifyInstance } from 'fastify';
import type { Log } from '../lib/process.ts';

/** Milliseconds that requests under way have once the server begins to close: a supervisor kills it soon after. */
const GRACE = 10_000;

/**
 * Ends the connections of a server that closes: those that are idle at once, and the others when their answer is sent,
 * at the latest when the grace is over, for a client may neither end its request nor read its answer.
 */
export function endConnections(app: FastifyInstance, log: Log): void {
  app.addHook('preClose', async () => {
    // A connection whose streamed answer is just ending is not idle yet when the server begins to close.
    const idle = setInterval(() => app.server.closeIdleConnections(), 20).unref();
    const late = setTimeout(() => {
      log.warn(`requests were cut off: they did not end within ${GRACE / 1000} seconds`);
      app.server.closeAllConnections();
    }, GRACE).unref();
    app.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(late);
    });
  });
}
