import type { Kernel } from '../../kernel/kernel.ts';
import { isMailAddress } from '../../mail/mail.ts';
import { mailHostOf } from '../../mail/mail-host.ts';
import { panelSettings } from '../../site/panel.ts';
import { mailPanel } from '../../site/panels/general.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import { sitePanel } from '../../site/panels/site.ts';
import type { Site } from '../../site/site.ts';
import type { ContentObject } from '../../storage/content-row.ts';
import type { Queryable } from '../../storage/database.ts';
import { queueWholeMail } from '../../storage/statements/mail-outbox.ts';
import { PENDING } from './changes.ts';
import { commentSettings } from './panel.ts';
import type { WrittenComment } from './statements.ts';

/** Address of an object on the front end. It is never taken from a request, which an attacker could forge. */
function addressOf({ config }: Kernel, site: Site, path: string): string {
  const front = panelSettings(site, sitePanel).frontend_domain.trim() || (config.publicUrl ?? '');
  return front.replace(/\/+$/, '') + path.split('/').map(encodeURIComponent).join('/');
}

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
  if (!mailHostOf(kernel.config.smtpUrl, panelSettings(site, mailPanel))) return;
  const language = panelSettings(site, languagePanel).default_language;
  const say = (text: string): string => site.registries.messages.translate(text, language);
  const author = comment.authorName || comment.author || say('Somebody');
  const waiting = comment.reviewState === PENDING ? ` ${say('It waits for your review.')}` : '';
  await queueWholeMail(tx, {
    to: [{ name: '', address }],
    subject: say(`New comment on ${object.title}`),
    text: `${say(`${author} has commented on "${object.title}".`)}${waiting}

${addressOf(kernel, site, object.path)}

${comment.body}
`,
  });
}
