import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Arrivals } from '../../src/core/http/arrivals.ts';

const CONNECTIONS = 100;

/** Opens connections from another thread, and resolves when the operating system has accepted all of them. */
const CLIENT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { connect } = require('node:net');
  let open = 0;
  const sockets = Array.from({ length: workerData.count }, () =>
    connect(workerData.port, '127.0.0.1', () => { open += 1; if (open === workerData.count) Atomics.store(workerData.done, 0, 1); }));
  parentPort.once('message', () => { for (const socket of sockets) socket.destroy(); });
`;

describe('connections that wait while the process works', () => {
  it('waiting connections are all accepted when work yields, before it continues', async () => {
    const arrivals = new Arrivals();
    const server = createServer(() => arrivals.take()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    let taken = 0;
    server.on('connection', () => {
      taken += 1;
    });
    const { port } = server.address() as AddressInfo;
    const done = new Int32Array(new SharedArrayBuffer(4));
    const client = new Worker(CLIENT, { eval: true, workerData: { port, count: CONNECTIONS, done } });
    await once(client, 'online');
    // Blocks the event loop until all connections are in the queue of the operating system.
    while (Atomics.load(done, 0) === 0);
    expect(taken).toBeLessThan(CONNECTIONS / 2);
    await arrivals.letIn();
    expect(taken).toBe(CONNECTIONS);
    client.postMessage('leave');
    await client.terminate();
    server.close();
  });

  it('work that yields continues at once when no connections wait', async () => {
    const arrivals = new Arrivals();
    const began = performance.now();
    await arrivals.letIn();
    expect(performance.now() - began).toBeLessThan(500);
  });
});
