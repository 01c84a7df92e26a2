import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../lib/free-port.mjs';
import { check, expectText, INSTALL, makeProject, run, SERVES, senderTo, start } from './programs.mjs';

/** A page of one's own, typed by the types of the site: its file in `front-end`, its text, and a mistake that the types find. */
const PAGES = {
  astro: {
    path: 'src/pages/hello.astro',
    text: `---
import { canopy } from '../lib/client.ts';

const { title, review_state } = await canopy.get('/', { type: 'Site' });
---
<h1>{title} ({review_state})</h1>
`,
  },
  next: {
    path: 'app/hello/page.tsx',
    text: `import { canopy } from '../../lib/client.ts';

export default async function Hello() {
  const { title, review_state } = await canopy.get('/', { type: 'Site' });
  return <h1>{\`\${title} (\${review_state})\`}</h1>;
}
`,
  },
};
const MISTAKE = ['review_state', 'reviewState'];

/** Says if the check of the types of a front end fails. */
const fails = (frontEnd) => spawnSync('npm', ['run', 'check'], { cwd: frontEnd }).status !== 0;

/**
 * Goes the way of somebody who begins: makes a project with a front end, starts it, writes the types of the site, and a page that uses
 * them. Prints its seconds and lines, and returns the project and Canopy, which runs.
 */
export async function walkToPage(name, { folder, server, client }) {
  const begun = performance.now();
  const seconds = {};
  let last = begun;
  const note = (step) => {
    seconds[step] = Number(((performance.now() - last) / 1000).toFixed(1));
    last = performance.now();
  };
  const { project, commands } = makeProject(folder, server, name, 'none');
  check(commands.includes('npm run front-end'), `The commands are ${commands.join()}`);
  note('create');
  const frontEnd = join(project, 'front-end');
  run('npm', INSTALL, project);
  // The client of this repository in place of that of the registry.
  run('npm', [...INSTALL, client], frontEnd);
  note('install');
  const canopy = await start('npm', ['start'], {
    cwd: project,
    env: { PORT: '0', ADMIN_PASSWORD: 'admin', WEBHOOK_PRIVATE_ADDRESSES: '1' },
    pattern: SERVES,
  });
  note('start');
  const send = senderTo(canopy.url);
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const { token } = await send('POST', '/@access-tokens', { name: 'Types', methods: ['GET'], expires });
  writeFileSync(join(project, 'token.txt'), `${token}\n`);
  run('npm', ['run', 'types', '--', `--url=${canopy.url}`, '--token-file=token.txt'], project);
  note('types');
  const { path, text } = PAGES[name];
  const file = join(frontEnd, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  run('npm', ['run', 'check'], frontEnd);
  note('page');
  const port = String(await freePort());
  const development = await start('npm', ['run', 'front-end', '--', '--', '--port', port], {
    cwd: project,
    env: { CANOPY_URL: canopy.url, NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' },
    pattern: new RegExp(`(http://localhost:${port})`),
  });
  const { title } = await send('GET', '/');
  await expectText(development.url, '/hello', title, 'text/html');
  note('response');
  const total = ((performance.now() - begun) / 1000).toFixed(1);
  // Those of create, install (2), start, the token, the types and the front end.
  const lines = 7 + text.trimEnd().split('\n').length;
  console.log(`${name}: ${total} seconds and ${lines} lines to a typed page: ${JSON.stringify(seconds)}`);
  await development.stop();
  writeFileSync(file, text.replaceAll(...MISTAKE));
  check(fails(frontEnd), 'The types do not find a wrong name.');
  writeFileSync(file, text);
  return { project, canopy: { ...canopy, send } };
}
