import { mailPanel } from '../../core/configuration/panels/general.ts';
import { panelSettings } from '../../core/configuration/panels/panel.ts';
import { contentAddress } from '../../core/configuration/site/public-address.ts';
import type { Site } from '../../core/configuration/site/site.ts';
import { mailWords, siteMailHost } from '../../core/configuration/site/site-mail.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { isMailAddress } from '../../core/queue/mail/mail.ts';
import { queueWholeMail } from '../../core/queue/statements/mail-outbox.ts';
import type { ContentObject } from '../../core/types/content-row.ts';
import type { Queryable } from '../../database/database.ts';
import { commentSettings } from './panel.ts';
import { PENDING, type WrittenComment } from './statements/comments.ts';

/** Queues a mail about a new comment when the site has a mail server and the panel asks for notifications. */
export async function notifyModerator(
  kernel: Kernel,
  tx: Queryable,
  site: Site,
  { object, comment }: { object: ContentObject; comment: WrittenComment },
): Promise<void> {
  const { moderator } = commentSettings(site);
  const address = moderator.address || panelSettings(site, mailPanel).email_from_address.trim();
  if (!moderator.notified || !isMailAddress(address)) return;
  if (!siteMailHost(kernel, site)) return;
  const say = mailWords(site);
  const author = comment.authorName || comment.author || say('Somebody');
  const waiting = comment.reviewState === PENDING ? ` ${say('It waits for your review.')}` : '';
  await queueWholeMail(tx, {
    to: [{ name: '', address }],
    subject: say(`New comment on ${object.title}`),
    text: `${say(`${author} has commented on "${object.title}".`)}${waiting}

${contentAddress(kernel, site, object.path)}

${comment.body}
`,
  });
}
