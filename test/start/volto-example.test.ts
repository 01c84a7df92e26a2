import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const EXAMPLE = new URL('../../examples/volto/', import.meta.url).pathname;

describe('the start of the example with Volto', () => {
  /** A repository with the programs of the example and nothing that is installed or built. */
  let clone: string;
  let folder: string;
  const servers: ReturnType<typeof createServer>[] = [];

  beforeAll(async () => {
    clone = await realpath(await mkdtemp(join(tmpdir(), 'canopy-example-')));
    folder = join(clone, 'examples/volto');
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(EXAMPLE))
      if (name.endsWith('.mjs')) await copyFile(join(EXAMPLE, name), join(folder, name));
    await writeFile(join(clone, 'package.json'), '{"dependencies": {"fastify": "1.0.0"}}');
    await writeFile(join(folder, 'package.json'), '{"dependencies": {}}');
    // In place of npm: no packages come from anywhere.
    await writeFile(join(clone, 'npm.cjs'), 'console.log(process.argv[2], process.cwd()); process.exit(1);');
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await rm(clone, { recursive: true, force: true });
  });

  async function takenPort(host: string): Promise<string> {
    const server = createServer().listen(0, host);
    servers.push(server);
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  }
  async function freePort(): Promise<string> {
    const port = await takenPort('127.0.0.1');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    return port;
  }
  const start = (env: Record<string, string>) =>
    new Promise<{ code: number | null; out: string; lines: string[] }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(folder, 'start.mjs')],
        { env: { PATH: process.env.PATH ?? '', npm_execpath: join(clone, 'npm.cjs'), ...env } },
        (_error, out, err) => resolve({ code: child.exitCode, out, lines: err.trimEnd().split('\n') }),
      );
    });

  it('ports that are taken are a line each, before anything is installed, built or made', async () => {
    const [volto, canopy, free] = await Promise.all([takenPort('127.0.0.1'), takenPort('0.0.0.0'), freePort()]);
    const ofVolto = `Port ${volto}, for Volto, is taken by another program. Choose another one: PORT=3001 npm start`;
    const ofCanopy = expect.stringMatching(`^Port ${canopy}, for Canopy, is taken by another program. .*API_PORT=8081`);
    expect(await start({ PORT: volto, API_PORT: canopy })).toEqual({ code: 1, out: '', lines: [ofVolto, ofCanopy] });
    expect(await start({ PORT: free, API_PORT: canopy })).toEqual({ code: 1, out: '', lines: [ofCanopy] });
    const elsewhere = { PORT: volto, API_PORT: canopy, API_URL: 'http://127.0.0.1:9' };
    expect(await start(elsewhere)).toEqual({ code: 1, out: '', lines: [ofVolto] });
    expect(await readdir(folder)).not.toContain('data');
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a number from 1 to 65535, not "http".'],
    [{ API_PORT: '0' }, 'API_PORT must be a number from 1 to 65535, not "0".'],
    [{ PORT: '8080', API_PORT: '8080' }, 'PORT and API_PORT are both 8080: each program needs a port of its own.'],
  ])('the ports %j are refused', async (ports, line) => {
    const { code, lines } = await start({ PORT: await freePort(), API_PORT: await freePort(), ...ports });
    expect([code, lines]).toEqual([1, [line]]);
  });

  it('packages of Canopy that are missing are installed before Volto is built, or the message names their folder', async () => {
    const { code, out, lines } = await start({ PORT: await freePort(), API_PORT: await freePort() });
    expect(code).toBe(1);
    expect(out).toBe(`Installing the packages of Canopy in ${clone}.\ninstall ${clone}\n`);
    expect(lines).toEqual([
      `The packages of Canopy cannot be installed. Run "npm install" in ${clone}, then try again.`,
    ]);
  });
});
