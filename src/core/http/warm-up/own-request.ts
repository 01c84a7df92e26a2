import { Readable, Writable } from 'node:stream';
import { ClientError } from '../../../lib/errors.ts';
import { Trace } from '../../../lib/process/trace.ts';
import { asClientError } from '../outages.ts';
import { RequestEnd } from '../request-end.ts';
import { handle, type Server } from '../request-path.ts';
import type { WireRequest } from '../wire-request.ts';
import type { AskedAddress } from './asked-addresses.ts';

/** The outcome of a request: a response for everybody, or none at this address. */
export type OwnOutcome = 'made' | 'gone';

/**
 * Asks the server itself for an address as a visitor would, so that its response is cached as that of a visitor. The request is not counted. Throws
 * the reason of an abort, and when the server cannot respond now.
 */
export async function askOneself(server: Server, address: AskedAddress, signal: AbortSignal): Promise<OwnOutcome> {
  const { scheme, host, target, language } = address;
  const silent: Server = { ...server, asked: undefined };
  // Nothing is written to it. It stands for the connection of a visitor: work ends when it is destroyed.
  const connection = new Writable();
  const leave = (): void => void connection.destroy();
  signal.addEventListener('abort', leave, { once: true });
  let end: RequestEnd | undefined;
  const request: WireRequest = {
    ...{ method: 'GET', target, scheme, host, body: Readable.from([]), clientAddress: '', trace: new Trace('') },
    headers: language === null ? {} : { 'accept-language': language },
    fromTrustedProxy: server.kernel.config.trustProxy !== undefined,
    end: () => (end ??= new RequestEnd(connection)),
    ask: (asked) => handle(silent, { ...request, ...asked }, {}),
  };
  try {
    signal.throwIfAborted();
    const { status, stream } = await handle(silent, request, {});
    stream?.destroy();
    return status === 200 ? 'made' : 'gone';
  } catch (error) {
    const known = asClientError(error);
    if (signal.aborted || (known instanceof ClientError && known.status >= 500)) throw error;
    if (!(known instanceof ClientError))
      server.kernel.log.error({ err: error, method: 'GET', url: target }, 'a request of the warm-up failed');
    return 'gone';
  } finally {
    signal.removeEventListener('abort', leave);
    connection.destroy();
  }
}
