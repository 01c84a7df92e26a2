import { isJsonObject } from '../../lib/json-object.ts';
import { isMail, isMailAddress, type Mail } from '../../mail/mail.ts';
import type { ComposeMail, OutboxEntry } from '../../mail/outbox-worker.ts';
import type { Kernel } from '../../site/kernel.ts';
import { WHOLE_MAIL } from '../../storage/statements/mail-outbox.ts';
import {
  hashResetToken,
  newResetToken,
  PASSWORD_MAIL,
  passwordMail,
  queuePasswordMail,
  RESET_REQUEST,
  resetLifetime,
} from './password-mail.ts';
import { profilesById } from './statements/people-profiles.ts';
import { countResets, insertReset, matchedAccounts } from './statements/people-resets.ts';

/** One address may belong to several accounts; more are hardly one person's. */
const MAX_MEANT = 10;
/** Links that one account is sent in an hour, whoever asks for them. */
const MAX_AN_HOUR = 5;
const HOUR = 60 * 60_000;

const textOf = (data: unknown, key: string): string =>
  isJsonObject(data) && typeof data[key] === 'string' ? data[key] : '';

/** Looks up whom a request means: each of the accounts gets a mail of its own. */
async function answerRequest(kernel: Kernel, data: unknown): Promise<null> {
  const meant = await matchedAccounts(kernel.db, textOf(data, 'name'), MAX_MEANT);
  for (const account of meant) await queuePasswordMail(kernel.db, account, 'reset');
  return null;
}

/** The link for one account, with a token of its own; null for one that is gone or has had enough of them. */
async function link(kernel: Kernel, { data, attempts }: OutboxEntry): Promise<Mail | null> {
  const [user] = await profilesById(kernel.db, [textOf(data, 'account')]);
  if (!user || !isMailAddress(user.email)) return null;
  const created = new Date();
  const reason = textOf(data, 'reason') === 'welcome' ? 'welcome' : 'reset';
  // A mail that could not be sent before has been counted then.
  const recent =
    attempts > 1 ? 0 : await countResets(kernel.db, user.id, new Date(created.getTime() - HOUR), MAX_AN_HOUR);
  if (recent >= MAX_AN_HOUR) return null;
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

/** Makes the mails of the outbox at the moment they are sent. Tokens are made here, so that none lies in the database. */
export const composeMail =
  (kernel: Kernel): ComposeMail =>
  async (entry) => {
    if (entry.kind === RESET_REQUEST) return answerRequest(kernel, entry.data);
    if (entry.kind === PASSWORD_MAIL) return link(kernel, entry);
    if (entry.kind === WHOLE_MAIL && isMail(entry.data)) return entry.data;
    throw new Error(`Nobody knows how to make a mail of the kind ${entry.kind}`);
  };
