import { startOutboxWorker } from '../../mail/outbox-worker.ts';
import type { Kernel } from '../../site/kernel.ts';
import { mailOutbox, OUTBOX_CHANNEL } from '../../storage/statements/mail-outbox.ts';
import { composeMail } from './compose-mail.ts';
import { siteMailHost } from './site-mail-host.ts';

/** Sends the mails of the site from this process until it is closed. */
export async function startMailer(kernel: Kernel): Promise<{ close(): Promise<void> }> {
  const worker = startOutboxWorker({
    outbox: mailOutbox(kernel.db),
    mailHost: async () => siteMailHost(kernel, await kernel.sites.current()),
    compose: composeMail(kernel),
    log: kernel.log,
  });
  const stop = await kernel.db.listen(OUTBOX_CHANNEL, () => worker.wake());
  return {
    async close() {
      await stop();
      await worker.close();
    },
  };
}
