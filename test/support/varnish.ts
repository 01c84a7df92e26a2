import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VARNISH = 'varnishd';

/** Says if Debian's packages varnish and varnish-modules are installed. */
export function hasVarnish(): boolean {
  try {
    const modules = execFileSync('sh', ['-c', `command -v ${VARNISH} && ls /usr/lib/*/varnish/vmods/libvmod_xkey.so`]);
    return modules.length > 0;
  } catch {
    // The command says which is missing, and nothing else can be wrong.
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** A response from Varnish. */
export type VarnishResponse = { status: number; text: string; isHit: boolean; headers: NodeJS.Dict<string | string[]> };

/** Starts Varnish with the configuration of the examples in front of a site. Its cache begins empty. */
export async function startVarnish(siteUrl: string) {
  const site = new URL(siteUrl);
  const folder = await mkdtemp(join(tmpdir(), 'canopy-varnish-'));
  const example = await readFile(join(import.meta.dirname, '../../examples/varnish/canopy.vcl'), 'utf8');
  const file = join(folder, 'canopy.vcl');
  await writeFile(file, example.replace('.port = "8080"', `.port = "${site.port}"`));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    VARNISH,
    [
      ...['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file],
      ...['-a', `127.0.0.1:${port}`, '-T', 'none', '-s', 'malloc,64m', '-p', 'thread_pool_min=10'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  /** Sends a request as if Varnish had the address of the site: links are the same then. */
  const get = (path: string, headers: Record<string, string> = {}): Promise<VarnishResponse> =>
    new Promise((resolve, reject) => {
      const sent = request(
        url + path,
        { headers: { accept: 'application/json', ...headers, host: site.host } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          answer.on('end', () => {
            // A response from the cache names the request that has brought it there as well.
            const isHit = String(answer.headers['x-varnish'] ?? '').includes(' ');
            resolve({ status: answer.statusCode ?? 0, text, isHit, headers: answer.headers });
          });
        },
      );
      sent.on('error', reject).end();
    });
  for (let left = 200; ; left -= 1) {
    const isUp = await get('/@health').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (left === 0 || child.exitCode !== null) throw new Error(`Varnish did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    get,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
