import { rehearse } from '../../database/rehearse.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AuthContext } from '../people/login.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { Service } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { isSearchService } from '../services/shared-writes.ts';
import type { PreviewWork, SitePreview } from '../services/site-preview.ts';
import { scratchBlobs } from './dry-run/scratch-blobs.ts';
import { inTime, kernelForRequests } from './one-transaction.ts';
import type { RequestInWork } from './request-layers.ts';
import { requestsWithin } from './requests-within.ts';
import { limitStatements } from './statements/statement-limit.ts';
import { header, isReading, parameterOf, type WireRequest } from './wire-request.ts';

/** Milliseconds of the transaction of one preview. Nobody can write with the embedded database meanwhile. */
const MAX_PREVIEW_MS = 20_000;

/** Services with files of content, which have previews beside searches and what can be cached. */
const FILES = new Set(['@@images', '@@download', '@@display-file', '@@videos']);

/** The preview that a request is to see: its work, null for the present site, undefined for a request without a token. */
export async function previewOf(
  previews: readonly SitePreview[],
  kernel: Kernel,
  request: WireRequest,
  now: () => Date,
): Promise<PreviewWork | null | undefined> {
  if (!isReading(request)) return undefined;
  const asked = {
    authorization: header(request, 'authorization'),
    parameter: (name: string) => parameterOf(request, name),
  };
  for (const preview of previews) {
    const found = await preview.find(kernel, asked, now());
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws BadRequest for a service that has no preview: one that reads more than what is stored, or works outside of the transaction. */
export function requirePreviewed({ cacheable, name }: Service): void {
  if (cacheable !== true && !FILES.has(name) && !isSearchService(name))
    throw new BadRequest('There is no preview of this address: only of content, its files, listings and searches.');
}

/**
 * Responds to a request as if some work were done: both happen in a transaction that is rolled back. Few requests of a process do so at the same
 * time. Files that the work stores are there until the response is sent. Throws what the work throws.
 */
export async function previewSite(
  { kernel, auth, services }: { kernel: Kernel; auth: AuthContext; services: ServiceRegistry },
  work: RequestInWork,
  {
    preview,
    respond,
  }: { preview: PreviewWork; respond(means: { kernel: Kernel; auth: AuthContext }): Promise<ServiceResponse> },
): Promise<ServiceResponse> {
  const { places } = work;
  places.leave();
  await places.take('preview');
  const { blobs, close } = scratchBlobs(kernel.blobs);
  let isSent = false;
  try {
    const response = await rehearse(kernel.db, async (tx) => {
      await limitStatements(kernel.db, tx, MAX_PREVIEW_MS);
      const within = { ...kernelForRequests(kernel, tx), blobs };
      const doBoth = async (): Promise<ServiceResponse> => {
        await preview(requestsWithin(work, { kernel: within, auth, services }));
        return respond({ kernel: within, auth: { ...auth, db: within.db } });
      };
      return inTime(doBoth(), MAX_PREVIEW_MS);
    });
    if (response.stream) {
      response.stream.once('close', () => void close());
      isSent = true;
    }
    return response;
  } finally {
    if (!isSent) await close();
  }
}
