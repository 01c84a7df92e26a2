import { request } from 'node:http';
import { connect } from 'node:net';
import type { HostileRequest } from './hostile-request.ts';

/** A response. Status 0: the server closed the connection without one. */
export type ServiceResponse = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

const TIMEOUT_MS = 20_000;

function bodyOf(body: HostileRequest['body']): Buffer | undefined {
  if (body === undefined) return undefined;
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
}

/**
 * Sends a request with node:http, which, unlike fetch, leaves path, method and headers as they
 * are. Rejects when there is no response within 20 seconds.
 */
export function send(
  url: string,
  token: string,
  { method, path, headers, body }: HostileRequest,
): Promise<ServiceResponse> {
  const { hostname, port } = new URL(url);
  const bytes = bodyOf(body);
  return new Promise((resolve, reject) => {
    const req = request(
      {
        hostname,
        port,
        method,
        path,
        // Each request has its own connection, because the server may close it after a bad request.
        agent: false,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          ...(bytes === undefined ? {} : { 'Content-Length': bytes.length }),
          ...headers,
        },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
        );
        res.on('error', reject);
      },
    );
    req.setTimeout(TIMEOUT_MS, () =>
      req.destroy(new Error(`No answer to ${method} ${path.slice(0, 100)} in ${TIMEOUT_MS} ms`)),
    );
    req.on('upgrade', (res, socket) => {
      socket.destroy();
      resolve({ status: res.statusCode ?? 0, headers: res.headers, text: '' });
    });
    req.on('error', (error: NodeJS.ErrnoException) => {
      // A server may reject a large body and close the connection before it has read it.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 0, headers: {}, text: '' });
      else reject(error);
    });
    req.end(bytes);
  });
}

/** Sends bytes over a new connection, closes its sending half and returns everything that comes back. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let text = '';
    socket.setEncoding('latin1');
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`The connection was not closed in ${TIMEOUT_MS} ms`)));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve(text);
      else reject(error);
    });
    socket.on('close', () => resolve(text));
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
