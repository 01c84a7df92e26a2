// The day of an owner by curl: the commands of curl-day.sh, with the number of lines and requests and the time of each part.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, PASSWORD, startOwnSite } from './own-site.mjs';

const SCRIPT = new URL('curl-day.sh', import.meta.url);

/** The part of other hands than those at the keyboard: the next version is installed, an app shows a code. Each `curl` is counted. */
const OTHERS = `
set -e
JSON='Content-Type: application/json'
curl() { echo >> "$FOLDER/requests"; command curl "$@"; }
ask_other() { echo "$1" > "$FOLDER/ask"; while [ ! -e "$FOLDER/told" ]; do sleep 0.05; done; cat "$FOLDER/told"; rm "$FOLDER/told"; }
install_next() { ask_other next; }
code_of() { ask_other "$1"; }
`;

/** The parts of the script with their titles. */
async function partsOf() {
  const [, ...parts] = (await readFile(SCRIPT, 'utf8')).split(/^#= /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, lines: lines.filter((line) => line.trim() !== '' && !line.startsWith('#')) };
  });
}

/** Does what the script asks others for, until it has ended. */
async function serveOthers(day, running) {
  const [ask, told] = [join(day.folder, 'ask'), join(day.folder, 'told')];
  while (!running.isOver) {
    await sleep(50);
    if (!existsSync(ask)) continue;
    const what = (await readFile(ask, 'utf8')).trim();
    if (what === '') continue;
    await rm(ask);
    if (what === 'next') await day.installNext();
    await writeFile(told, what === 'next' ? '' : codeOf(what));
  }
}

/** Has the day by curl, and prints the lines, the requests and the time of each part. */
export async function spendDayByCurl() {
  const day = await startOwnSite();
  const parts = await partsOf();
  const program = parts.map(({ lines }, at) => [...lines, `echo "@@ ${at} $(date +%s%N)" >&2`].join('\n')).join('\n');
  const child = spawn('bash', ['-c', `${OTHERS}\n${program}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...{ SITE: day.url, SECRET: day.link.split('#')[1], PASSWORD, FOLDER: day.folder },
      ...{ ARCHIVE: day.archive, BACKUPS: day.backups },
    },
  });
  let said = '';
  const ends = [];
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
    for (const [, at] of text.matchAll(/^@@ (\d+) /gm)) ends[Number(at)] = Date.now();
  });
  const running = { isOver: false };
  const started = Date.now();
  const [[code]] = await Promise.all([
    once(child, 'close').finally(() => {
      running.isOver = true;
    }),
    serveOthers(day, running),
  ]);
  if (code !== 0) throw new Error(`The day by curl ended in "${parts[ends.length]?.title}": ${said.slice(-2000)}`);
  const requests = (await readFile(join(day.folder, 'requests'), 'utf8')).split('\n').length - 1;
  let before = started;
  for (const [at, { title, lines }] of parts.entries()) {
    const calls = lines.join('\n').match(/curl -/g)?.length ?? 0;
    console.log(`  ${title}: ${lines.length} lines, ${calls} of curl, ${((ends[at] - before) / 1000).toFixed(1)} s`);
    before = ends[at];
  }
  const lines = parts.reduce((sum, part) => sum + part.lines.length, 0);
  const letters = parts.reduce((sum, part) => sum + part.lines.join('\n').length, 0);
  console.log(
    `  the day by curl: ${lines} lines, ${letters} characters, ${requests} requests, ${((before - started) / 1000).toFixed(1)} s`,
  );
  await day.end();
}
