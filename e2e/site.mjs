// The site of a run: Canopy with the profile "plone", Volto in front of it, and a client that prepares content.
import { spawn } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildVolto } from '../examples/volto/build.mjs';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { connect } from '../scripts/lib/client.mjs';
import { freePort } from '../scripts/lib/free-port.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { stopChild } from '../scripts/lib/stop-child.mjs';

const VOLTO = join(ROOT, 'examples/volto/volto');
/** Bytes of Volto's output that are kept. */
const KEPT_OUTPUT = 256 * 1024;

async function startVolto(api, folder = VOLTO) {
  const port = await freePort();
  const child = spawn(process.execPath, ['build/server.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      RAZZLE_INTERNAL_API_PATH: api,
      RAZZLE_DEV_PROXY_API_PATH: api,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  onEnd(() => stopChild(child));
  const url = `http://localhost:${port}`;
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`${url}/ok`);
      return { url, output: () => output };
    } catch (error) {
      // Volto does not listen yet. A minute is enough on the slowest machine.
      if (tries > 300 || child.exitCode !== null) throw new Error(`Volto does not start:\n${output}`, { cause: error });
      await sleep(200);
    }
  }
}

/** Fills a folder with the Volto that was built: its programs are copied, the rest is linked. */
export async function linkVolto(folder) {
  for (const name of await readdir(VOLTO)) {
    if (name === 'build') await cp(join(VOLTO, name), join(folder, name), { recursive: true });
    else await symlink(join(VOLTO, name), join(folder, name));
  }
}

/**
 * The folder of a Volto whose own settings name several languages, as a project builds it: its programs differ from the others in
 * these settings and in nothing else.
 */
async function voltoIn(languages) {
  const folder = await temporaryDataDir();
  await linkVolto(folder);
  const programs = join(folder, 'build/public/static/js');
  const client = (await readdir(programs)).find((name) => /^client\..*\.js$/.test(name));
  for (const file of [join(folder, 'build/server.js'), join(programs, client)]) {
    const program = await readFile(file, 'utf8');
    const changed = program.replace(
      'isMultilingual:!1,supportedLanguages:["en"]',
      `isMultilingual:!0,supportedLanguages:${JSON.stringify(languages)}`,
    );
    if (changed === program) throw new Error(`${file} has no settings of languages that could be changed.`);
    await writeFile(file, changed);
  }
  return folder;
}

/**
 * Starts both on a new site. `api(method, path, body)` sends a request to Canopy as Manager, `tokenOf(user)` logs a user in.
 */
export async function startSite() {
  buildVolto();
  const canopy = await startServer({
    dataDir: await temporaryDataDir(),
    env: { PROFILE: 'plone', TRUST_PROXY: 'loopback' },
  });
  const volto = await startVolto(canopy.url);
  const admin = await connect(canopy.url);
  return {
    url: volto.url,
    /** Starts a Volto in several languages on the same site. */
    inLanguages: async (languages) => startVolto(canopy.url, await voltoIn(languages)),
    token: admin.token,
    output: volto.output,
    canopyOutput: canopy.output,
    api: async (method, path, body) => (await admin.send(method, path, body)).body,
    tokenOf: async (login, password) => (await connect(canopy.url, { login, password })).token,
  };
}
