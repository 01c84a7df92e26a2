import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { file, mustOf } from '../site-export/furnish.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { runCanopy } from '../support/run-canopy.ts';
import type { TestSite } from '../support/site.ts';
import { Places } from './places.ts';
import { idOf, objectsOf, readFiles, rowsOf } from './state-of-site.ts';

const TEXT = 'Bytes of a file that a backup has';

/** Commands open databases of their own. */
const PATIENT = { timeout: 120_000 };

/** A small site; `whole-sites.slow.ts` has one with something of everything. */
describeQuickestEngine('a backup', (engine) => {
  const places = new Places();
  let site: TestSite;
  let place: Record<string, string>;
  let target: string;
  beforeAll(async () => {
    target = join(await places.folder(), 'backups');
    place = await places.empty(engine);
    site = await places.serve(place);
    const must = mustOf(site);
    await must('POST', '/', { '@type': PAGE, id: 'page', title: 'Page' });
    await must('POST', '/', { '@type': 'File', id: 'paper', title: 'Paper', file: file('paper.txt', TEXT) });
    await readFiles(site);
  }, PATIENT.timeout);
  afterAll(() => places.end());

  it('of a site that is served comes back the same', PATIENT, async () => {
    const made = await runCanopy(['backup', target, '--json'], place);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.out)).toMatchObject({ files: 1, copied: { files: 1 }, removed: [] });
    const [stored, objects] = [await rowsOf(site), await objectsOf(site)];
    const other = await places.empty(engine);
    const back = await runCanopy(['restore', target, '--json'], other);
    expect(back).toMatchObject({ code: 0 });
    expect(JSON.parse(back.out)).toMatchObject({ id: idOf(made.out), files: 1, leftOut: [] });
    const restored = await places.serve(other);
    expect(await objectsOf(restored)).toEqual(objects);
    expect(await rowsOf(restored)).toEqual(stored);
    expect((await restored.request('GET', '/paper/@@download/file')).text).toBe(TEXT);
    await mustOf(restored)('PATCH', '/page', { title: 'Changed' });
    await restored.close();
    expect(await runCanopy(['restore', target], other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--replace'),
    });
  });

  it('is not restored when a byte of it has changed, and nothing is written', PATIENT, async () => {
    const folder = await places.folder();
    const id = idOf((await runCanopy(['backup', folder, '--json'], place)).out);
    const own = join(folder, 'backups', id);
    const table = join(own, 'tables', 'content.jsonl.gz');
    const bytes = await readFile(table);
    await copyFile(table, `${table}.good`);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    await writeFile(table, bytes);
    const other = await places.empty(engine);
    const damaged = await runCanopy(['restore', folder], other);
    expect(damaged).toMatchObject({
      code: 1,
      err: expect.stringContaining('content.jsonl.gz is not what was written'),
    });
    await copyFile(`${table}.good`, table);
    const [blob = ''] = (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.length > 60);
    await writeFile(join(folder, 'blobs', blob), 'Other bytes');
    expect(await runCanopy(['restore', folder], other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('not what was written'),
    });
    expect(await runCanopy(['export', join(folder, 'x')], other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no site'),
    });
    await rm(join(own, 'manifest.json'));
    expect(await runCanopy(['restore', folder], other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no backup'),
    });
  });

  it('of a newer program is refused in one line', PATIENT, async () => {
    const folder = await places.folder();
    const id = idOf((await runCanopy(['backup', folder, '--json'], place)).out);
    const path = join(folder, 'backups', id, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.schema.program.push({ id: 9999, name: 'of_the_future', checksum: 'x' });
    await writeFile(path, JSON.stringify(manifest));
    const refused = await runCanopy(['restore', folder], await places.empty(engine));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('9999_of_the_future') });
  });

  it('goes to places that it can use, and to no others', PATIENT, async () => {
    const refusal = async (...args: string[]) => (await runCanopy(['backup', ...args], place)).err;
    expect(await refusal(join(place.DATA_DIR ?? '', 'backups'))).toContain('inside of the data folder');
    expect(await refusal('/tmp/site.tar.gz')).toContain('ends with .tar');
    expect(await refusal('s3://bucket/site')).toContain('S3_ENDPOINT');
    expect(await refusal(target, '--keep=0')).toContain('--keep');
    const taken = join(await places.folder(), 'file');
    await writeFile(taken, 'No folder');
    expect(await refusal(join(taken, 'backups'))).toContain('cannot be written');
    const empty = await places.empty(engine);
    expect(await runCanopy(['backup', target], empty)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no site'),
    });
  });
});
