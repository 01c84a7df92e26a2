import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type S3Server = { endpoint: string; stop: () => void };

/**
 * An S3-compatible server to test with: the one at TEST_S3_ENDPOINT, or moto on the loopback interface when a Python
 * with it is installed. Undefined when there is neither.
 */
export async function s3Server(): Promise<S3Server | undefined> {
  const given = process.env.TEST_S3_ENDPOINT;
  if (given) return { endpoint: given, stop: () => {} };
  const python = process.env.TEST_PYTHON ?? 'python3';
  const probe = spawnSync(python, ['-c', 'import moto.server, flask, boto3'], { timeout: 30_000 });
  return probe.status === 0 ? startMoto(python) : undefined;
}

async function startMoto(python: string): Promise<S3Server> {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', new URL(endpoint).port], {
    stdio: 'ignore',
  });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    if (await answers(endpoint)) return { endpoint, stop: () => child.kill() };
  }
  child.kill();
  throw new Error('moto did not start within 30 seconds');
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/moto-api/`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}
