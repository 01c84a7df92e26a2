import { request } from 'node:http';

/**
 * Sends one request over a connection of its own; the client disconnects after `leaveAfter` milliseconds. Resolves to the
 * status and the milliseconds it took; status 0 stands for a connection that was cut.
 */
export function send(url, { method = 'GET', path = '/', body, headers = {}, leaveAfter, from = '127.0.0.1' }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status) => resolve({ status, time: performance.now() - began });
    const sent = request(
      new URL(path, url),
      { method, localAddress: from, agent: false, headers: { Accept: 'application/json', ...headers } },
      (response) => {
        response.on('error', () => end(0)).on('end', () => end(response.statusCode));
        response.resume();
      },
    );
    sent.on('error', () => end(0));
    if (leaveAfter !== undefined) setTimeout(() => sent.destroy(), leaveAfter);
    sent.end(body);
  });
}
