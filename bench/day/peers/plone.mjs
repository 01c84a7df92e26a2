import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { cpSync, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { installPlone, servePlone } from '../../../compare/plone.mjs';
import { onEnd } from '../../../scripts/lib/cleanup.mjs';
import { stopChild } from '../../../scripts/lib/stop-child.mjs';
import { contentKey, documentsOf } from '../content.mjs';
import { copyOf, once } from '../kept.mjs';
import { picturesOf } from '../site.mjs';

const SCRIPT = fileURLToPath(new URL('./seed-plone.py', import.meta.url));
/** Types of Canopy's default profile as Plone calls them. In its distribution for Volto a Document contains others. */
const TYPES = { Page: 'Document', Folder: 'Document' };
const THREADS = 4;
const KEPT_ERROR = 2000;

async function* linesOf(documents) {
  for (const document of documentsOf(documents)) yield `${JSON.stringify(document)}\n`;
  for await (const document of picturesOf()) yield `${JSON.stringify(document)}\n`;
}

/** Runs a script of zconsole; `progress` gets each line that it prints. */
async function runScript(program, conf, env, progress) {
  const child = spawn(program('zconsole'), ['run', conf, SCRIPT], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = onEnd(() => stopChild(child));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-KEPT_ERROR);
  });
  child.stdout.setEncoding('utf8').on('data', (text) => progress(text.trim()));
  const [code] = await event(child, 'exit');
  await stop();
  if (code !== 0) throw new Error(`The script for Plone ended with ${code}:\n${errors}`);
}

/** Starts a real Plone with the content of the day: on a copy of a site that is made the first time, without HTTP, as that is much faster. */
export async function startPlone({ cache, documents, progress }) {
  const { program, site } = installPlone();
  const kept = await once(join(cache, `plone-${documents}`), `2 ${contentKey(documents)}`, async (home) => {
    cpSync(site, join(home, 'var'), { recursive: true });
    const lines = join(home, 'documents.jsonl');
    await pipeline(Readable.from(linesOf(documents)), createWriteStream(lines));
    const prepare = ({ conf }) => runScript(program, conf, { DAY_DOCUMENTS: lines }, progress);
    await (await servePlone(program, home, { prepare })).stop();
    await rm(lines);
  });
  const server = await servePlone(program, await copyOf(kept), { threads: THREADS });
  return {
    ...{ url: `${server.url}/Plone`, types: TYPES, addresses: { feed: (path) => `${path}/RSS` } },
    ...{ pids: () => [server.pid()], kill: server.kill, again: server.again, stop: server.stop },
  };
}
