import { BadRequest, NotFound, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { readContactMail } from '../../mail/contact-mail.ts';
import { isMailAddress } from '../../mail/mail.ts';
import type { Kernel } from '../../site/kernel.ts';
import { queueWholeMail } from '../../storage/statements/mail-outbox.ts';
import { NO_MAIL_HOST, siteMailHost } from './site-mail-host.ts';
import { profilesById } from './statements/people-profiles.ts';
import { userPath } from './update-user.ts';

/**
 * Has the message `{name, from, subject, message}` mailed to a user (Nick, `@email-notification`).
 * @throws ValidationFailed, NotFound, BadRequest when the site has no mail server or the user no address.
 */
export async function notifyUser(kernel: Kernel, { id, input }: { id: string; input: JsonObject }): Promise<void> {
  const [user] = await profilesById(kernel.db, [id]);
  if (!user) throw new NotFound(userPath(id));
  const read = readContactMail(input, { name: user.fullname, address: user.email });
  if ('problems' in read) throw new ValidationFailed(read.problems);
  if (!siteMailHost(kernel, await kernel.sites.current())) throw new BadRequest(NO_MAIL_HOST);
  if (!isMailAddress(user.email)) throw new BadRequest('The user has no e-mail address.');
  await queueWholeMail(kernel.db, read.mail);
}
