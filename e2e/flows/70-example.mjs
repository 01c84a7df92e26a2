// The example as somebody finds it who has cloned the repository.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';
import { linkVolto } from '../site.mjs';
import { see } from '../volto.mjs';

const EXAMPLE = 'examples/volto';
const PASSWORD = 'correct horse battery staple';

/** A clone of the last commit. Packages and the build of Volto are those that are here, to save a quarter of an hour. */
async function cloneRepository() {
  const clone = join(await temporaryDataDir(), 'canopy');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone]);
  for (const folder of ['', EXAMPLE, 'packages/manage'])
    await symlink(join(ROOT, folder, 'node_modules'), join(clone, folder, 'node_modules'));
  await linkVolto(await mkdir(join(clone, EXAMPLE, 'volto'), { recursive: true }));
  return clone;
}

export default [
  {
    title: 'A clone of the repository starts with "npm start", and shows its site.',
    async run({ open }) {
      const clone = await cloneRepository();
      const [PORT, API_PORT] = [await freePort(), await freePort()].map(String);
      const child = spawn('npm', ['start'], {
        cwd: join(clone, EXAMPLE),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PORT, API_PORT, ADMIN_PASSWORD: PASSWORD },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      try {
        const site = `http://localhost:${PORT}`;
        const last = `Volto shows the site at ${site}. Log in as "admin" at ${site}/login`;
        for (const end = Date.now() + 300_000; !output.includes(last); await new Promise((go) => setTimeout(go, 500)))
          assert.ok(child.exitCode === null && Date.now() < end, `It does not start:\n${output}`);
        assert.equal(output.trimEnd().split('\n').at(-1), last);
        const { page } = await open({ as: 'visitor' });
        await page.goto(`${site}/login`);
        await page.waitForLoadState('networkidle');
        await page.fill('#login', 'admin');
        await page.fill('#password', PASSWORD);
        await page.click('#login-form-submit');
        await page.waitForSelector('#toolbar .toolbar-actions');
        await page.goto(site);
        await see(page, 'Welcome to Canopy!');
      } finally {
        // npm, the example, Canopy and Volto are one group of processes.
        if (child.exitCode === null) process.kill(-child.pid);
        await stopChild(child);
      }
    },
  },
];
