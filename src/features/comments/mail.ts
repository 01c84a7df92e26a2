import {
  type ContentObject,
  type Kernel,
  mailing,
  panelSettings,
  panels,
  type Queryable,
  type Site,
  siteAddress,
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
  const address = moderator.address || panelSettings(site, panels.mail).email_from_address.trim();
  if (!moderator.notified || !mailing.isAddress(address)) return;
  if (!mailing.hostOf(kernel, site)) return;
  const say = mailing.wordsIn(site);
  const author = comment.authorName || comment.author || say('Somebody');
  const waiting = comment.reviewState === PENDING ? ` ${say('It waits for your review.')}` : '';
  await mailing.queue(tx, {
    to: [{ name: '', address }],
    subject: say(`New comment on ${object.title}`),
    text: `${say(`${author} has commented on "${object.title}".`)}${waiting}

${siteAddress.ofContent(kernel, site, object.path)}

${comment.body}
`,
  });
}
