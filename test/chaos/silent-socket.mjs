import { once } from 'node:events';
import { createServer } from 'node:net';

/** The ways in which a service that takes connections may be of no use. */
export const MODES = {
  /** It says nothing. */
  silent: () => {},
  /** It cuts the connection as soon as it is asked. */
  cutting: (socket) => socket.once('data', () => socket.destroy()),
  /** It refuses each request. */
  refusing: (socket) => socket.on('data', () => socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n')),
  /** It begins to answer and says nothing more. */
  half: (socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhalf')),
};

/** Starts a service of no use on a free port. `mode` of what it returns may be changed; connections keep the one they began with. */
export async function silentSocket(mode = 'silent') {
  const sockets = new Set();
  const service = { mode, port: 0, asked: 0, close: () => {} };
  const server = createServer((socket) => {
    service.asked += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    MODES[service.mode](socket);
    socket.resume();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  service.port = server.address().port;
  service.close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return service;
}
