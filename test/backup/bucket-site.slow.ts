import { S3mini } from 's3mini';
import { afterAll, describe, expect, it } from 'vitest';
import { s3Server } from '../blobs/s3-server.ts';
import { file, mustOf } from '../site-export/furnish.ts';
import { engines } from '../support/database.ts';
import type { Engine } from '../support/engines.ts';
import { runCanopy } from '../support/run-canopy.ts';
import { Places } from './places.ts';
import { idOf, objectsOf, readFiles, rowsOf } from './state-of-site.ts';

const TEXT = 'Bytes of a file in a bucket';
const KEYS = { region: 'eu-central-1', accessKeyId: 'test', secretAccessKey: 'test' };
const SLOW = { timeout: 300_000 };

const s3 = await s3Server();
describe.skipIf(!s3)('a backup of a site whose files are in a bucket, to another bucket', () => {
  const places = new Places();
  afterAll(async () => {
    await places.end();
    s3?.stop();
  });

  const bucketAt = (name: string) => new S3mini({ ...KEYS, endpoint: `${s3?.endpoint}/${name}` });

  /** An empty place on an engine, with the files in a new bucket. */
  async function emptyPlace(engine: Engine, bucket: string): Promise<Record<string, string>> {
    await bucketAt(bucket).createBucket();
    return {
      ...(await places.empty(engine)),
      S3_ENDPOINT: s3?.endpoint ?? '',
      S3_BUCKET: bucket,
      S3_REGION: KEYS.region,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
  }

  it.each(engines())(
    'comes back the same by the command on %s, and --keep leaves the newest ones',
    SLOW,
    async (engine) => {
      const place = await emptyPlace(engine, `files-${engine}`);
      await bucketAt(`backups-${engine}`).createBucket();
      const target = `s3://backups-${engine}/site`;
      const site = await places.serve(place);
      const must = mustOf(site);
      await must('POST', '/', { '@type': 'File', id: 'paper', title: 'Paper', file: file('paper.txt', TEXT) });
      await readFiles(site);
      const first = await runCanopy(['backup', target, '--json'], place);
      expect(first, first.err).toMatchObject({ code: 0 });
      await must('PATCH', '/paper', { title: 'Newer' });
      const second = await runCanopy(['backup', target, '--json', '--keep=1'], place);
      expect(second, second.err).toMatchObject({ code: 0 });
      expect(JSON.parse(second.out)).toMatchObject({ copied: { files: 0 }, removed: [idOf(first.out)] });
      const check = await runCanopy(['restore', target, '--check'], place);
      expect(check, check.err).toMatchObject({ code: 0 });
      const [stored, objects] = [await rowsOf(site), await objectsOf(site)];
      await site.close();

      const other = await emptyPlace(engine, `restored-${engine}`);
      const back = await runCanopy(['restore', target], other);
      expect(back, back.err).toMatchObject({ code: 0 });
      const restored = await places.serve(other);
      expect(await objectsOf(restored)).toEqual(objects);
      expect(await rowsOf(restored)).toEqual(stored);
      const { text } = await restored.request('GET', '/paper/@@download/file');
      expect(text).toBe(TEXT);
    },
  );
});
