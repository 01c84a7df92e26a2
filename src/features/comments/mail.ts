import {
  type ContentObject,
  contentAddress,
  isMailAddress,
  type Kernel,
  mailPanel,
  mailWords,
  panelSettings,
  type Queryable,
  queueWholeMail,
  type Site,
  siteMailHost,
} from '#core';
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
