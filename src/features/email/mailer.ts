import {
  type BackgroundWork,
  type ComposeMail,
  isMail,
  KERNEL_FEATURES,
  type Kernel,
  type MailKind,
  OBSERVED,
  siteMailHost,
  startMailWorker,
  WHOLE_MAIL,
} from '#core';
import { hasPublicAddress, NO_PUBLIC_ADDRESS } from './health.ts';

/** Mails that were whole when they were queued. */
const wholeMail: MailKind = {
  kind: WHOLE_MAIL,
  async compose(_kernel, { data }) {
    if (!isMail(data)) throw new Error('The queue holds a mail that is none');
    return data;
  },
};

/** Composes the mails of the queue, each by its kind. Throws when two features have one kind: a mistake of a programmer. */
function composer(kernel: Kernel): ComposeMail {
  const kinds = new Map<string, MailKind>();
  for (const mail of [wholeMail, ...kernel.slots.get(KERNEL_FEATURES).flatMap(({ mails = [] }) => mails)]) {
    if (kinds.has(mail.kind)) throw new Error(`There are two kinds of mails ${mail.kind}`);
    kinds.set(mail.kind, mail);
  }
  return async (item) => {
    const mail = kinds.get(item.topic);
    if (!mail) throw new Error(`Unknown kind of mail: ${item.topic}`);
    return mail.compose(kernel, item);
  };
}

/** Sends the mails of the site from this process until it is closed. */
export async function startMailer(kernel: Kernel): Promise<BackgroundWork> {
  const site = await kernel.sites.current();
  if (siteMailHost(kernel, site) && !hasPublicAddress(kernel, site)) kernel.log.warn(NO_PUBLIC_ADDRESS);
  return startMailWorker({
    db: kernel.db,
    counts: kernel.slots.get(OBSERVED).mails,
    mailHost: async () => siteMailHost(kernel, await kernel.sites.current()),
    compose: composer(kernel),
    log: kernel.log,
    openBlob: (hash) => kernel.blobs.open(hash),
  });
}
