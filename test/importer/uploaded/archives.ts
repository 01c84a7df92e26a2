import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { afterAll, beforeAll, vi } from 'vitest';
import { ZipFile } from 'yazl';
import type { JobWorker } from '../../../src/features/jobs/worker.ts';
import { exportSite } from '../../../src/features/site-export/export-site.ts';
import { openFolderTarget } from '../../../src/features/site-export/target/folder-target.ts';
import { startWorker } from '../../jobs/job-site.ts';
import type { Exchange, Json, TestSite, Who } from '../../support/site.ts';
import type { SharedSite } from '../../support/use-site.ts';

type Site = TestSite | SharedSite;

/** Gives the tests of a file a temporary folder of their own, in which nothing of others lies. */
export function useTemporaryFolder(): void {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-imports-'));
    vi.stubEnv('TMPDIR', folder);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
}

/** The files of a folder by their paths in it. */
async function filesOf(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
        const place = join(parentPath, name);
        return [place.slice(folder.length + 1), await readFile(place)];
      }),
  );
}

/** Packs a folder as .zip, in a folder `top` of the archive if given. */
export async function zipOf(folder: string, top = ''): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of await filesOf(folder)) zip.addBuffer(bytes, `${top}${name}`);
  zip.end();
  return buffer(zip.outputStream);
}

/** Packs entries as .tar.gz. */
export const tarOf = async (entries: TarEntry[]): Promise<Buffer> => gzipSync(await packTar(entries));

/** Packs a folder as .tar.gz. */
export const tarOfFolder = async (folder: string): Promise<Buffer> =>
  tarOf((await filesOf(folder)).map(([name, body]) => ({ header: { name, size: body.length }, body })));

/** The export of a site by `canopy export`, as .zip. */
export async function ownExport(site: Site, path?: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-own-'));
  try {
    const target = await openFolderTarget(join(folder, 'out'));
    await exportSite(site.kernel, { target, path, progress: () => ({ tick() {}, done() {} }) });
    return await zipOf(join(folder, 'out'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends the file of an export. */
export const upload = (
  site: Site,
  filename: string,
  bytes: Buffer | string,
  { as = 'admin', headers = {} }: { as?: Who; headers?: Record<string, string> } = {},
): Promise<Exchange> =>
  site.request('POST', `/@imports?filename=${encodeURIComponent(filename)}`, {
    ...{ as, body: new Uint8Array(Buffer.from(bytes)) },
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });

/** Has an uploaded export imported. Returns its representation once the job has ended. */
export async function importUploaded(site: Site, id: string, json: Json = {}, as: Who = 'admin'): Promise<Json> {
  const begun = await site.request('POST', `/@imports/${id}/start`, { as, json });
  if (begun.status !== 202) throw new Error(`${begun.status}: ${begun.text}`);
  const worker: JobWorker = await startWorker(site.kernel);
  try {
    return await endOf(site, begun.headers.get('location') ?? '', id);
  } finally {
    await worker.close();
  }
}

/** Waits for the end of a job. Returns the representation of its import, by the table: the account may be another one by now. */
export async function endOf(site: Site, jobUrl: string, id: string): Promise<Json> {
  const job = jobUrl.split('/').at(-1) ?? '';
  for (let turn = 0; turn < 600; turn += 1) {
    const [row] = await site.kernel.db.query<{ finished: Date | null }>({
      text: 'select finished from job where id = $1::uuid',
      values: [job],
    });
    if (row?.finished) return (await site.request('GET', `/@imports/${id}`)).body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The job does not end');
}

/** Numbers of blobs and of folders of unpacked exports that are left. */
export async function leftOvers(site: Site): Promise<{ blobs: string[]; folders: string[] }> {
  const blobs: string[] = [];
  for await (const { hash } of site.kernel.blobs.list()) blobs.push(hash);
  return { blobs, folders: (await readdir(tmpdir())).filter((name) => name.startsWith('canopy-unpacked-')) };
}
