import { type Kernel, type MailKind, mailing, type queue } from '#core';
import { textAt } from '#lib/json-members';
import { newToken } from '#lib/text/random-token';
import { HOUR_MS } from '#lib/time/milliseconds';
import {
  hashResetToken,
  PASSWORD_MAIL,
  passwordMail,
  queuePasswordMail,
  RESET_REQUEST,
  resetLifetime,
} from './password-mail.ts';
import { profilesById } from './statements/accounts.ts';
import { countResets, insertReset, matchedAccounts } from './statements/password-resets.ts';

/** Maximum number of accounts that one request can match: an address may belong to several accounts, but hardly to more. */
const MAX_MATCHED_ACCOUNTS = 10;
/** Maximum number of links for one account per hour, from all requests together. */
const MAX_RESETS_PER_HOUR = 5;

/** Queues one mail for each account that a request matches. */
async function queueMatchedAccounts(kernel: Kernel, data: unknown): Promise<null> {
  const matched = await matchedAccounts(kernel.db, textAt(data, 'name'), MAX_MATCHED_ACCOUNTS);
  for (const account of matched) await queuePasswordMail(kernel.db, account, 'reset');
  return null;
}

/** The mail with a new token for one account; null when the account is gone or has reached its limit. */
async function composePasswordMail(kernel: Kernel, { data, attempts }: queue.Item): Promise<mailing.Mail | null> {
  const [user] = await profilesById(kernel.db, [textAt(data, 'account')]);
  if (!user || user.disabled || !mailing.isAddress(user.email)) return null;
  const created = new Date();
  const reason = textAt(data, 'reason') === 'welcome' ? 'welcome' : 'reset';
  // A repeated mail was counted at its first attempt.
  const recent =
    attempts > 1
      ? 0
      : await countResets(kernel.db, user.id, new Date(created.getTime() - HOUR_MS), MAX_RESETS_PER_HOUR);
  if (recent >= MAX_RESETS_PER_HOUR) return null;
  const site = await kernel.sites.current();
  const token = newToken();
  const expires = new Date(created.getTime() + resetLifetime(site));
  await insertReset(kernel.db, {
    tokenHash: hashResetToken(token),
    account: user.id,
    created,
    expires,
  });
  return passwordMail(kernel, site, { user, token, reason, expires });
}

/** The mails about passwords. A token is made when its mail is sent, so that the outbox never contains tokens. */
export const passwordMails: readonly MailKind[] = [
  { kind: RESET_REQUEST, compose: (kernel, { data }) => queueMatchedAccounts(kernel, data) },
  { kind: PASSWORD_MAIL, compose: composePasswordMail },
];
