import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf, connect, pathOf, UnexpectedAnswer } from '../../scripts/lib/client.mjs';
import { checkTree } from '../crash/check-tree.mjs';
import { writeUntilKilled } from '../crash/writers.mjs';

/** Where the clock of the server is set to, seconds from the real time: hours, a leap of more than a year, back before the start. */
const JUMPS = [3600, -7200, 400 * 86_400, -30 * 86_400, 5, 0];
/** How long libfaketime keeps what it has read of its file. */
const CACHE_MS = 1000;
/** Changes after each jump whose effect is read at once. */
const CHANGES = 20;
/** A session lasts twelve hours (`ACCESS_TOKEN_EXPIRES` has its default). */
const SESSION_MS = 12 * 3_600_000;
/** A session from the time before the clock was set back by more than this ends (`src/core/people/tokens.ts`). */
const MAX_BEHIND_MS = 300_000;

const BASIC = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

/** Path of the library that sets the clock of a program, from Debian's package `faketime`; undefined when it is not installed. */
export function clockLibrary() {
  for (const platform of readdirSync('/usr/lib')) {
    const folder = join('/usr/lib', platform, 'faketime');
    try {
      if (readdirSync(folder).includes('libfaketime.so.1')) return join(folder, 'libfaketime.so.1');
    } catch {
      // Most folders of /usr/lib have no such folder.
    }
  }
  return undefined;
}

/** Milliseconds of the server's clock, as its responses tell it. */
async function clockOf(url) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  await response.arrayBuffer();
  return Date.parse(response.headers.get('date'));
}

/** Changes a page and reads it again, time after time: a kept response must not outlive the change that ends it. */
async function changeAndRead(client, path, jump, problems) {
  for (let n = 0; n < CHANGES; n += 1) {
    const title = `After ${jump} s, ${n}`;
    await client.send('PATCH', path, { title });
    const { body } = await client.send('GET', path);
    if (body.title !== title)
      problems.push(`After a jump to ${jump} s, ${path} had "${body.title}" instead of "${title}"`);
  }
}

/** Says if a session is valid. Any status other than 200 and 401 is added to the problems. */
async function sessionCounts(url, token, problems) {
  try {
    await clientOf(url, { Authorization: `Bearer ${token}` }).send('GET', '/@users/admin');
    return true;
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    if (error.status !== 401) problems.push(`A session after a jump of the clock: ${error.message}`);
    return false;
  }
}

/**
 * Sets the clock of the server forward and back while pages are written, and compares what is read with what was written, sessions with
 * their lifetime, and after a kill the site with what it acknowledged. The clock of a PostgreSQL server stays right, as that of
 * another machine would.
 */
export async function jumpClock({ start, dataDir, library, ledger, problems }) {
  const file = join(dataDir, 'clock');
  const set = (seconds) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(0);
  const server = await start({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: String(CACHE_MS / 1000),
    // A step of the clock of a machine does not move its monotonic clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const client = clientOf(server.url, BASIC);
  const { body } = await client.send('POST', '/', { '@type': 'Page', title: 'Clock' });
  const path = pathOf(body['@id']);
  let killed = false;
  const writing = writeUntilKilled(client, ledger, { clients: 2, round: 'clock', killed: () => killed });
  for (const jump of JUMPS) {
    const { token } = await connect(server.url);
    const loggedInAt = await clockOf(server.url);
    set(jump);
    await sleep(2 * CACHE_MS);
    const now = await clockOf(server.url);
    if (Math.abs(now - Date.now() - jump * 1000) > 60_000)
      problems.push(`The clock of the server did not jump to ${jump} s`);
    await changeAndRead(client, path, jump, problems);
    const age = now - loggedInAt;
    const expected = age > -MAX_BEHIND_MS && age < SESSION_MS;
    if ((await sessionCounts(server.url, token, problems)) !== expected)
      problems.push(`After a jump to ${jump} s, a session ${expected ? 'did not count' : 'outlived its time'}`);
    if (!(await sessionCounts(server.url, (await connect(server.url)).token, problems)))
      problems.push(`After a jump to ${jump} s, a new session did not count`);
  }
  const gone = server.kill();
  killed = true;
  await Promise.all([gone, writing]);
  const again = await start();
  problems.push(...(await checkTree(await connect(again.url), ledger)));
  await again.stop();
  console.log(`The clock jumped ${JUMPS.length} times: ${problems.length} problems so far`);
}
