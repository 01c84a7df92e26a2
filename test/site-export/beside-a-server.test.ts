import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { runCommand } from '../../src/app/run-command.ts';
import { s3Server } from '../blobs/s3-server.ts';
import { engines } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { filesIn } from './folders.ts';
import { file, mustOf } from './furnish.ts';

const TEXT = 'Bytes that go from S3 to a disk and back';
const s3 = engines().includes('postgresql') ? await s3Server() : undefined;
const S3 = {
  S3_ENDPOINT: s3?.endpoint ?? '',
  S3_BUCKET: `canopy-${Date.now()}`,
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'test',
  S3_SECRET_ACCESS_KEY: 'test',
};

describe.skipIf(!s3)('a running server on PostgreSQL with files in S3', () => {
  let site: TestSite;
  let folder: string;
  let onServer: Record<string, string>;
  let embedded: Record<string, string>;
  beforeAll(async () => {
    const { S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId } = S3;
    const endpoint = `${S3.S3_ENDPOINT}/${bucket}`;
    await new S3mini({ endpoint, region, accessKeyId, secretAccessKey: S3.S3_SECRET_ACCESS_KEY }).createBucket();
    folder = await mkdtemp(join(tmpdir(), 'canopy-beside-'));
    site = await startTestSite('postgresql', { environment: S3 });
    const rows = await site.kernel.db.query<{ name: string }>({ text: 'select current_database() as name' });
    const url = withDatabaseName(inject('templates').postgresql?.url ?? '', rows[0]?.name ?? '');
    onServer = { DATABASE_URL: url, DATA_DIR: join(folder, 'spool'), ADMIN_PASSWORD: 'admin', ...S3 };
    embedded = { DATA_DIR: join(folder, 'embedded'), ADMIN_PASSWORD: 'admin' };
  });
  afterAll(async () => {
    await site?.close();
    await rm(folder, { recursive: true, force: true });
    s3?.stop();
  });

  /** Runs a command in a process of its own, as far as data goes, and returns its exit code and output. */
  async function run(environment: Record<string, string>, ...args: string[]) {
    const [out, err]: [string[], string[]] = [[], []];
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
    ];
    try {
      return { code: await runCommand(args, environment), out: out.join(''), err: err.join('') };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }
  const get = (path: string) => site.request('GET', path, { as: 'anonymous' });
  const bytes = async (path: string) => (await fetch(`${site.url}${path}/@@download/file`)).text();

  it('is exported while it runs, goes to an embedded database with files on disk, and comes back', {
    timeout: 240_000,
  }, async () => {
    const must = mustOf(site);
    await must('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await must('POST', '/news', { '@type': 'File', id: 'paper', title: 'Paper', file: file('paper.txt', TEXT) });
    await must('POST', '/@users', { username: 'eva', email: 'eva@example.org', password: 'correct-horse' });
    await must('POST', '/news/@workflow/publish', {});
    const first = join(folder, 'first');
    expect(await run(onServer, 'export', first)).toMatchObject({ code: 0 });
    expect(await run(embedded, 'import', first, '--new-site')).toMatchObject({ code: 0 });
    const second = join(folder, 'second');
    expect(await run(embedded, 'export', second)).toMatchObject({ code: 0 });
    const [a, b] = [await filesIn(first), await filesIn(second)];
    expect(Object.keys(b)).toEqual(Object.keys(a));
    expect(Object.values(b).filter((text) => text === TEXT)).toHaveLength(1);

    // Responses that the server has cached, and a change before the import.
    expect([(await get('/news')).status, await bytes('/news/paper')]).toEqual([200, TEXT]);
    await must('PATCH', '/news', { title: 'Changed' });
    await must('PATCH', '/news/paper', { file: file('paper.txt', 'Other bytes') });
    await must('POST', '/', { '@type': PAGE, id: 'later', title: 'Later' });
    await must('POST', '/later/@workflow/publish', {});
    await must('POST', '/@controlpanels/dexterity-types', { id: 'Recipe', title: 'Recipe' });
    await must('DELETE', '/@users/eva');
    expect([(await get('/news')).body.title, (await get('/later')).status]).toEqual(['Changed', 200]);

    const refused = await run(onServer, 'import', second);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });
    expect((await get('/later')).status).toBe(200);
    expect(await run(onServer, 'import', second, '--replace')).toMatchObject({ code: 0 });
    expect([(await get('/news')).body.title, (await get('/later')).status]).toEqual(['News', 404]);
    expect(await bytes('/news/paper')).toBe(TEXT);
    expect((await site.request('GET', '/@types/Recipe')).status).toBe(404);
    const login = { as: 'anonymous', json: { login: 'eva', password: 'correct-horse' } } as const;
    expect((await site.request('POST', '/@login', login)).status).toBe(200);
    const made = await must('POST', '/news', { '@type': PAGE, id: 'next', title: 'Next' });
    expect(made.title).toBe('Next');
  });
});
