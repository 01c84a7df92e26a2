import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Maximum milliseconds that a connection stays open for the rest of an unread body, in all and without new bytes. */
const MAX_LINGER_MS = 30_000;
const MAX_SILENCE_MS = 2000;

/** Drops the rest of a body. Resolves at the end of the body, or when a time limit is reached. */
function drop(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(whole);
      clearTimeout(silence);
      request.off('data', onData);
      resolve();
    };
    const onData = (): void => {
      silence.refresh();
    };
    const whole = setTimeout(end, MAX_LINGER_MS).unref();
    const silence = setTimeout(end, MAX_SILENCE_MS).unref();
    request.once('end', end).once('close', end).on('data', onData).resume();
  });
}

/**
 * The bytes of a response to a request whose body has not been read whole. The stream ends after the client had time to send the rest: a
 * connection that is closed with unread bytes is reset, and the client would not get to see the response.
 */
export function withUnreadBody(bytes: Uint8Array, request: IncomingMessage): Readable {
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield bytes;
    await drop(request);
  }
  return Readable.from(slowly(), { objectMode: false });
}
