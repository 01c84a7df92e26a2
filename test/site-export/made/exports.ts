import type { JobWorker } from '../../../src/features/jobs/worker.ts';
import { startWorker } from '../../jobs/job-site.ts';
import type { Json, TestSite } from '../../support/site.ts';
import type { SharedSite } from '../../support/use-site.ts';

type Site = TestSite | SharedSite;

/** Waits for the end of the job of an export. Returns the representation of the export. */
export async function endOfExport(site: Site, id: string): Promise<Json> {
  for (let turn = 0; turn < 600; turn += 1) {
    const { body } = await site.request('GET', `/@exports/${id}`);
    if (body.job.finished !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The job does not end');
}

/** Has a job export a site. Returns the representation of the export. */
export async function exportOf(site: Site, json: Json = {}): Promise<Json> {
  const begun = await site.request('POST', '/@exports', { json });
  if (begun.status !== 202) throw new Error(`${begun.status}: ${begun.text}`);
  const worker: JobWorker = await startWorker(site.kernel);
  try {
    return await endOfExport(site, begun.body.id);
  } finally {
    await worker.close();
  }
}

/** The bytes of the file of an export. */
export async function fileOf(site: Site, id: string): Promise<Buffer> {
  const { status, bytes } = await site.request('GET', `/@exports/${id}/file`);
  if (status !== 200) throw new Error(`The file has the status ${status}`);
  return Buffer.from(bytes);
}

/** The blobs of a site. */
export async function blobsOf({ kernel }: Site): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of kernel.blobs.list()) hashes.push(hash);
  return hashes.sort();
}
