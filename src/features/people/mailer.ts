import type { Kernel } from '../../kernel/kernel.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { isMail, isMailAddress, type Mail } from '../../mail/mail.ts';
import { type MailHost, mailHostOf } from '../../mail/mail-host.ts';
import { type ComposeMail, type OutboxEntry, startOutboxWorker } from '../../mail/outbox-worker.ts';
import { panelSettings } from '../../site/panel.ts';
import { mailPanel } from '../../site/panels/general.ts';
import type { Site } from '../../site/site.ts';
import { mailOutbox, OUTBOX_CHANNEL, WHOLE_MAIL } from '../../storage/statements/mail-outbox.ts';
import {
  hashResetToken,
  newResetToken,
  PASSWORD_MAIL,
  passwordMail,
  queuePasswordMail,
  RESET_REQUEST,
  resetLifetime,
} from './password-mail.ts';
import { profilesById } from './statements/accounts.ts';
import { countResets, insertReset, matchedAccounts } from './statements/password-resets.ts';

/** The message for requests that need a mail server where there is none (Plone's words). */
export const NO_MAIL_HOST = 'MailHost is not configured.';

/** The mail server of the site; undefined when there is none. */
export const siteMailHost = ({ config }: Pick<Kernel, 'config'>, site: Site): MailHost | undefined =>
  mailHostOf(config.smtpUrl, panelSettings(site, mailPanel));

/** Accounts that one request can match: an address may belong to several, but hardly to more than this. */
const MAX_MATCHED_ACCOUNTS = 10;
/** Links that one account is sent per hour, whoever asks for them. */
const MAX_RESETS_PER_HOUR = 5;
const HOUR_MS = 60 * 60_000;

const textOf = (data: unknown, key: string): string =>
  isJsonObject(data) && typeof data[key] === 'string' ? data[key] : '';

/** Queues one mail for each account that a request matches. */
async function queueMatchedAccounts(kernel: Kernel, data: unknown): Promise<null> {
  const matched = await matchedAccounts(kernel.db, textOf(data, 'name'), MAX_MATCHED_ACCOUNTS);
  for (const account of matched) await queuePasswordMail(kernel.db, account, 'reset');
  return null;
}

/** The mail with a new token for one account; null when the account is gone or has reached its limit. */
async function composePasswordMail(kernel: Kernel, { data, attempts }: OutboxEntry): Promise<Mail | null> {
  const [user] = await profilesById(kernel.db, [textOf(data, 'account')]);
  if (!user || !isMailAddress(user.email)) return null;
  const created = new Date();
  const reason = textOf(data, 'reason') === 'welcome' ? 'welcome' : 'reset';
  // A mail that is tried again was counted the first time.
  const recent =
    attempts > 1
      ? 0
      : await countResets(kernel.db, user.id, new Date(created.getTime() - HOUR_MS), MAX_RESETS_PER_HOUR);
  if (recent >= MAX_RESETS_PER_HOUR) return null;
  const site = await kernel.sites.current();
  const token = newResetToken();
  await insertReset(kernel.db, {
    tokenHash: hashResetToken(token),
    account: user.id,
    created,
    expires: new Date(created.getTime() + resetLifetime(site)),
  });
  return passwordMail(site, { user, token, reason });
}

/** Composes the mails of the outbox when they are sent. Tokens are made here, so that the database never holds one. */
const composeMail =
  (kernel: Kernel): ComposeMail =>
  async (entry) => {
    if (entry.kind === RESET_REQUEST) return queueMatchedAccounts(kernel, entry.data);
    if (entry.kind === PASSWORD_MAIL) return composePasswordMail(kernel, entry);
    if (entry.kind === WHOLE_MAIL && isMail(entry.data)) return entry.data;
    throw new Error(`Unknown kind of mail: ${entry.kind}`);
  };

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
