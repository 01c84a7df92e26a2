import {
  type BackgroundWork,
  type ComposeMail,
  isMail,
  KERNEL_FEATURES,
  type Kernel,
  type MailKind,
  mailOutbox,
  OUTBOX_CHANNEL,
  siteMailHost,
  startOutboxWorker,
  WHOLE_MAIL,
} from '#core';
import { hasPublicAddress, NO_PUBLIC_ADDRESS } from './health.ts';

/** Mails that were whole when they were put into the outbox. */
const wholeMail: MailKind = {
  kind: WHOLE_MAIL,
  async compose(_kernel, { data }) {
    if (!isMail(data)) throw new Error('The outbox holds a mail that is none');
    return data;
  },
};

/** Composes the mails of the outbox, each by its kind. Throws when two features have one kind: a mistake of a programmer. */
function composer(kernel: Kernel): ComposeMail {
  const kinds = new Map<string, MailKind>();
  for (const mail of [wholeMail, ...kernel.slots.get(KERNEL_FEATURES).flatMap(({ mails = [] }) => mails)]) {
    if (kinds.has(mail.kind)) throw new Error(`There are two kinds of mails ${mail.kind}`);
    kinds.set(mail.kind, mail);
  }
  return async (entry) => {
    const mail = kinds.get(entry.kind);
    if (!mail) throw new Error(`Unknown kind of mail: ${entry.kind}`);
    return mail.compose(kernel, entry);
  };
}

/** Sends the mails of the site from this process until it is closed. */
export async function startMailer(kernel: Kernel): Promise<BackgroundWork> {
  const worker = startOutboxWorker({
    outbox: mailOutbox(kernel.db),
    mailHost: async () => siteMailHost(kernel, await kernel.sites.current()),
    compose: composer(kernel),
    log: kernel.log,
    openBlob: (hash) => kernel.blobs.open(hash),
  });
  const site = await kernel.sites.current();
  if (siteMailHost(kernel, site) && !hasPublicAddress(kernel, site)) kernel.log.warn(NO_PUBLIC_ADDRESS);
  const stop = await kernel.db.listen(OUTBOX_CHANNEL, () => worker.wake());
  // What another process has left behind.
  worker.wake();
  return {
    async close() {
      await stop();
      await worker.close();
    },
  };
}
