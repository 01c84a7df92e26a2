import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { FolderCopy } from '../../src/database/pglite/folder-copy.ts';
import { readLines, without } from '../../src/features/backup/lines.ts';
import { openPlace } from '../../src/features/backup/places/open-place.ts';
import type { Place } from '../../src/features/backup/places/place.ts';
import { s3Server } from '../blobs/s3-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-pieces-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('the copy of a folder', () => {
  it('has after each round what the folder has then, also changes of the same length in the same instant', async () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    await mkdir(join(from, 'base'), { recursive: true });
    await writeFile(join(from, 'base', '1'), 'one');
    await writeFile(join(from, 'gone'), 'gone');
    const copy = new FolderCopy(from, to);
    await copy.round();
    await writeFile(join(from, 'base', '1'), 'two');
    await writeFile(join(from, 'base', '2'), 'new');
    await rm(join(from, 'gone'));
    await copy.round();
    expect(await readFile(join(to, 'base', '1'), 'utf8')).toBe('two');
    expect((await readdir(to, { recursive: true })).sort()).toEqual(['base', 'base/1', 'base/2']);
  });
});

describe('lines of a backup', () => {
  it('end with a line feed alone, wherever pieces of the file end', async () => {
    const lines = ['["a\u2028b","c\\nd"]', 'x'.repeat(200_000), '["\r"]', 'last'];
    const bytes = gzipSync(`${lines.join('\n')}\n`);
    const source = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
    expect(await listOf(readLines(source))).toEqual(lines);
    await expect(listOf(readLines(Readable.from([bytes.subarray(0, 100)])))).rejects.toThrow();
  });

  it('of one list that another one lacks are found', async () => {
    const missing = without(Readable.from(['a', 'b', 'd', 'f']), Readable.from(['b', 'c', 'f', 'g']));
    expect(await listOf(missing)).toEqual(['a', 'd']);
    expect(await listOf(without(Readable.from(['a']), Readable.from([])))).toEqual(['a']);
  });
});

/** Tests the behaviour that all places have. */
function describePlace(name: string, open: () => Promise<Place>): void {
  it(`${name} stores files as a whole, and lists them in order`, async () => {
    const place = await open();
    await place.put('blobs/ab/one', Readable.from([Buffer.from('1')]));
    await place.put('blobs/aa/two', Readable.from([Buffer.from('22')]));
    await place.put('backups/x/manifest.json', Readable.from([Buffer.from('{}')]));
    const failing = new Readable({
      read() {
        this.destroy(new Error('The source fails'));
      },
    });
    await expect(place.put('blobs/ab/three', failing)).rejects.toThrow('The source fails');
    expect(await listOf(place.list('blobs/'))).toEqual([
      { key: 'blobs/aa/two', size: 2 },
      { key: 'blobs/ab/one', size: 1 },
    ]);
    const stream = await place.open('blobs/aa/two');
    expect(stream && (await text(stream))).toBe('22');
    expect([await place.open('blobs/no'), await place.size('blobs/no'), await place.size('blobs/ab/one')]).toEqual([
      undefined,
      undefined,
      1,
    ]);
    await place.remove('blobs/aa/two');
    expect(await listOf(place.list('blobs/'))).toEqual([{ key: 'blobs/ab/one', size: 1 }]);
  });
}

describe('a folder for backups', () => {
  describePlace('It', () => openPlace(join(folder, 'place'), parseConfig({}), join(folder, 'work')));
});

const s3 = await s3Server();
describe.skipIf(!s3)('a bucket for backups', () => {
  afterAll(() => s3?.stop());
  describePlace('It', async () => {
    const keys = { region: 'eu-central-1', accessKeyId: 'test', secretAccessKey: 'test' };
    const bucket = `backups-${Date.now()}`;
    await new S3mini({ ...keys, endpoint: `${s3?.endpoint}/${bucket}` }).createBucket();
    const config = parseConfig({
      BACKUP_S3_ENDPOINT: s3?.endpoint,
      BACKUP_S3_REGION: keys.region,
      BACKUP_S3_ACCESS_KEY_ID: keys.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    });
    return openPlace(`s3://${bucket}/site`, config, folder);
  });
});
