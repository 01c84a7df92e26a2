import { type BackgroundWork, KERNEL_FEATURES, type Kernel, mailing, OBSERVED, queue } from '#core';
import { hasPublicAddress, NO_PUBLIC_ADDRESS } from './health.ts';

/** Sends the mails of the site from this process until it is closed. */
export async function startMailer(kernel: Kernel): Promise<BackgroundWork> {
  const site = await kernel.sites.current();
  if (mailing.hostOf(kernel, site) && !hasPublicAddress(kernel, site)) kernel.log.warn(NO_PUBLIC_ADDRESS);
  const kinds = kernel.slots.get(KERNEL_FEATURES).flatMap(({ mails = [] }) => mails);
  return queue.startMailWorker({
    db: kernel.db,
    counts: kernel.slots.get(OBSERVED).mails,
    mailHost: async () => mailing.hostOf(kernel, await kernel.sites.current()),
    kinds: kinds.map(({ kind, compose }) => ({ kind, compose: (item) => compose(kernel, item) })),
    log: kernel.log,
    openBlob: (hash) => kernel.blobs.open(hash),
  });
}
