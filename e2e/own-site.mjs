// The site of an owner's day: new, with an export to bring in, something in the way of backups, and a next version of the program.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { makePrograms, NEXT } from '../test/crash/next-program.mjs';

export const PASSWORD = 'the-password-of-the-owner';
const START_MS = 240_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Milliseconds for which a code of the second factor counts. */
const STEP_MS = 30_000;

/** The code that an authenticator app shows for a secret (RFC 6238). */
export function codeOf(secret) {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const at = digest[19] & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const object = (path, type, title, more = {}) => ({
  ...{ '@id': path, '@type': type, UID: `uid-of${path.replaceAll('/', '-')}`, id: path.split('/').at(-1), title },
  ...{ is_folderish: type === 'Folder', review_state: 'published', creators: ['admin'] },
  ...{ created: '2026-01-05T09:00:00+00:00', modified: '2026-02-05T09:00:00+00:00' },
  ...more,
});

/** Writes an export of a Plone site, as collective.exportimport makes it, packed as .zip. */
async function writeExport(file) {
  const objects = [
    object('/news', 'Folder', 'News'),
    object('/news/the-ferry', 'News Item', 'The ferry opens'),
    object('/news/the-mill', 'News Item', 'The mill turns again'),
    object('/about-us', 'Document', 'About us', { review_state: 'private' }),
  ];
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(objects)), 'Plone.json');
  zip.end();
  await writeFile(file, await buffer(zip.outputStream));
}

/** Starts a server without content, where something is in the way of backups. */
export async function startOwnSite() {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-day-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const [backups, archive] = [join(folder, 'backups'), join(folder, 'old-site.zip')];
  await writeFile(backups, 'A file in place of the folder.');
  await writeExport(archive);
  const { now, next } = await makePrograms(folder);
  const dataDir = await temporaryDataDir();
  const start = (program, port) =>
    startServer({
      ...{ dataDir, program, port, timeout: START_MS },
      env: {
        ADMIN_PASSWORD: undefined,
        BACKUP_TARGET: backups,
        BACKUP_SCHEDULE: '0 3 * * *',
        TEST_PROGRAM: new URL(`file://${join(program, 'dist/src/index.js')}`).href,
      },
    });
  let server = await start(now);
  const [, link] = /(\/@manage\/welcome#\S+)/.exec(server.output()) ?? [];
  assert.ok(link, 'The start prints no link');
  return {
    ...{ folder, backups, archive, link, url: server.url, next: NEXT },
    /** Stops the server and starts the next version of the program with the same data. */
    async installNext() {
      await server.stop();
      server = await start(next, Number(new URL(server.url).port));
    },
    end: () => server.stop(),
  };
}
