import { connect } from 'node:net';

/** A response as it came over the connection; status 0 when the server closed it without one. */
export type RawAnswer = { status: number; headers: Map<string, string>; text: string };

/** Milliseconds to wait for a response. */
const PATIENCE = 5_000;

/**
 * Sends exactly these bytes over a new connection, which stays open, and returns what came back until the
 * body of the response was complete or the server closed it. Rejects when there is no response within five seconds.
 */
export function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(parse(received));
    };
    socket.setEncoding('latin1');
    socket.setTimeout(PATIENCE, () => {
      socket.destroy();
      reject(new Error(`No answer in ${PATIENCE} ms, received: ${received}`));
    });
    socket.on('data', (chunk) => {
      received += chunk;
      if (isComplete(received)) finish();
    });
    socket.on('error', reject);
    socket.on('end', finish);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

function parse(received: string): RawAnswer {
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(' ')[1] ?? 0);
  return { status, headers: new Map(headers), text: body.join('\r\n\r\n') };
}

function isComplete(received: string): boolean {
  if (!received.includes('\r\n\r\n')) return false;
  const { headers, text } = parse(received);
  const length = headers.get('content-length');
  return length !== undefined && text.length >= Number(length);
}
