import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { S3mini } from 's3mini';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { s3Server } from '../blobs/s3-server.ts';
import { run } from '../importer/import-helpers.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine, quickestEngine } from '../support/database.ts';
import { docxFile } from '../support/document-files.ts';
import type { Engine } from '../support/engines.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { make, search } from './make.ts';

/** The texts of files are extracted by a process that runs the built program; CI builds first. */
const built = existsSync(fileURLToPath(new URL('../../dist/bundle/core/files/text/child.js', import.meta.url)));

/** Starts a site with a worker for one test. */
async function startSite(engine: Engine, environment: Record<string, string> = {}): Promise<TestSite> {
  const site = await startTestSite(engine, { environment });
  onTestFinished(() => site.close());
  const worker = await startWorker(site.kernel);
  onTestFinished(() => worker.close());
  return site;
}

const found = async (site: TestSite, word: string) => (await search(site, '/', `SearchableText=${word}`)).paths;

const upload = (site: TestSite, id: string, bytes: Uint8Array, filename: string) =>
  make(site, '/', {
    '@type': 'File',
    id,
    title: id,
    file: { data: Buffer.from(bytes).toString('base64'), encoding: 'base64', filename },
  });

describeEachEngine('the text of a file', (engine) => {
  it.runIf(built)('is found again at once when the file comes back from the recycle bin', async () => {
    const site = await startSite(engine);
    await upload(site, 'kept', docxFile(['recoveredword'], []), 'kept.docx');
    await expect.poll(() => found(site, 'recoveredword'), { timeout: 50_000 }).toEqual(['/kept']);
    await site.request('DELETE', '/kept');
    expect(await found(site, 'recoveredword')).toEqual([]);
    const { body } = await site.request('GET', '/@recyclebin');
    expect((await site.request('POST', `/@recyclebin/${body.items[0].recycle_id}/restore`)).status).toBe(200);
    expect(await found(site, 'recoveredword')).toEqual(['/kept']);
  });

  it.runIf(built)('is found after an import of a site', async () => {
    const site = await startSite(engine);
    const folder = await mkdtemp(join(tmpdir(), 'canopy-export-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const item = {
      '@id': '/Plone/report',
      '@type': 'File',
      UID: '5b0a4b9c0d3e4f5a8b7c6d5e4f3a2b1c',
      id: 'report',
      title: 'Report',
      file: { blob_path: '5b0a4b9c0d3e4f5a8b7c6d5e4f3a2b1c/file/report.docx', filename: 'report.docx' },
    };
    const content = join(folder, 'content', item.UID);
    await mkdir(join(content, 'file'), { recursive: true });
    await writeFile(join(content, 'file/report.docx'), docxFile(['importedword'], []));
    await writeFile(join(content, 'data.json'), JSON.stringify(item));
    await writeFile(
      join(folder, 'content/__metadata__.json'),
      JSON.stringify({
        __version__: '1.0.0',
        _data_files_: [`${item.UID}/data.json`],
        _blob_files_: [item.file.blob_path],
      }),
    );
    await run(site.kernel, folder);
    await expect.poll(() => found(site, 'importedword'), { timeout: 50_000 }).toEqual(['/report']);
  });
});

const server = built ? await s3Server() : undefined;
const reason = server ? '' : ' (skipped: set TEST_S3_ENDPOINT, or TEST_PYTHON to a python with moto[server])';

describe.skipIf(!server)(`the text of a file in an S3 store${reason}`, () => {
  afterAll(() => server?.stop());

  it('is found', async () => {
    const settings = {
      endpoint: server?.endpoint ?? '',
      region: process.env.TEST_S3_REGION ?? 'eu-central-1',
      accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID ?? 'test',
      secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY ?? 'test',
    };
    const bucket = `texts-${Date.now()}`;
    await new S3mini({ ...settings, endpoint: `${settings.endpoint}/${bucket}` }).createBucket();
    const site = await startSite(quickestEngine(), {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    });
    expect(site.kernel.blobs.kind).toBe('s3');
    await upload(site, 'far', docxFile(['distantword'], []), 'far.docx');
    await expect.poll(() => found(site, 'distantword'), { timeout: 50_000 }).toEqual(['/far']);
  });
});
