import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { besiege, prepareSite, SETTINGS, watchPeace } from './besieged-site.mjs';

/** Connections at the same time; one that is closed is opened again. */
const CONNECTIONS = 120;
/** Milliseconds until a closed connection is opened again. */
const AGAIN_MS = 20;
/** Milliseconds between two bytes of a connection that is not quite silent. */
const TRICKLE_MS = 200;
const NETWORKS = [2, 20];

const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The beginnings of bodies after which nothing comes, or almost nothing: short ones, long ones, and of unknown length. */
const beginnings = ({ path, id }) => {
  const beginning = `{"block_id":"${id}","data":{"name":"`;
  const more = beginning + 'x'.repeat(20_000);
  const send = `POST ${path}/@schemaform-data`;
  return {
    'a byte': ['POST /@login', 'Content-Length: 1000', '{'],
    'a chunk of a byte': [send, 'Transfer-Encoding: chunked', chunk('{')],
    'a part of a long body': [send, 'Content-Length: 900000', more],
    'a long chunk': [send, 'Transfer-Encoding: chunked', chunk(more)],
    'a part of a very long body': [send, 'Content-Length: 9000000', more],
  };
};

/** Keeps one connection open that sends the beginning, and a byte now and then when it trickles. */
async function hold(url, [request, length, text], { network, trickles, isOver, statuses }) {
  const { hostname, port } = new URL(url);
  while (!isOver()) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let first = '';
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (piece) => {
      first += first === '' ? piece : '';
    });
    socket.on('end', () => socket.destroy());
    const type = 'Content-Type: application/json';
    socket.write(
      `${request} HTTP/1.1\r\nHost: x\r\n${type}\r\nX-Forwarded-For: ${network}\r\n${length}\r\n\r\n${text}`,
    );
    const byte = length.startsWith('Transfer') ? chunk('x') : 'x';
    const watch = setInterval(() => {
      if (isOver()) socket.destroy();
      else if (trickles && socket.writable) socket.write(byte);
    }, TRICKLE_MS);
    await closed;
    clearInterval(watch);
    const status = first.slice(9, 12) || 'cut off';
    if (!isOver()) statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(AGAIN_MS);
  }
}

/** Bodies of which only the beginning comes, from a few networks and from many. */
export async function attackWithSilence({ start, duration }) {
  const server = await start(SETTINGS);
  const { forms, callers } = await prepareSite(server);
  await watchPeace(server, callers, duration);
  const kinds = Object.entries(beginnings(forms[0]));
  const problems = [];
  const sieges = NETWORKS.flatMap((networks) => [
    ...kinds.map(([name, beginning]) => ({ name, networks, trickles: false, of: () => beginning })),
    { name: 'all of them, a byte now and then', networks, trickles: true, of: (n) => kinds[n % kinds.length][1] },
  ]);
  for (const { name, networks, trickles, of } of sieges) {
    const siege = async () => {
      const until = Date.now() + duration;
      const statuses = {};
      const isOver = () => Date.now() > until;
      await Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) => {
          const network = `10.1.${n % networks}.1`;
          return hold(server.url, of(n), { network, trickles, isOver, statuses });
        }),
      );
      return statuses;
    };
    problems.push(...(await besiege(server, callers, `silence after ${name}, ${networks} networks`, siege)));
  }
  await server.stop();
  return problems;
}
