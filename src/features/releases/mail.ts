import {
  accounts,
  has,
  type Kernel,
  locate,
  type MailKind,
  mailing,
  panelSettings,
  panels,
  type Queryable,
  type queue,
  type Site,
  siteAddress,
} from '#core';
import { isJsonObject } from '#lib/json-object';
import { findRecipient } from '../proposals/statements/recipients.ts';
import { readersOf } from './found-release.ts';
import { releaseSettings } from './panel.ts';
import { MAKE, PUBLISH } from './rights.ts';
import { findRelease, type StoredRelease } from './statements/releases.ts';

const FAILURE = 'release-failed';

/** Queues the mails about a release that did not go live: to who has made it and who has scheduled it. */
export async function queueFailureMails(
  tx: Queryable,
  kernel: Kernel,
  site: Site,
  { id, creator, scheduledBy }: Pick<StoredRelease, 'id' | 'creator' | 'scheduledBy'>,
): Promise<void> {
  if (!releaseSettings(site).mail_failures || !mailing.hostOf(kernel, site)) return;
  const users = new Set([creator, scheduledBy].filter((user) => user !== null));
  for (const user of users) await mailing.queueKind(tx, FAILURE, { release: id, user });
}

/** The mail in the language of its recipient; null for one who cannot get it, or who may not read releases when it is sent. */
async function composeFailure(kernel: Kernel, { data }: queue.Item): Promise<mailing.Mail | null> {
  const { db } = kernel;
  const { release: id, user } = isJsonObject(data) ? data : {};
  if (typeof id !== 'string' || typeof user !== 'string') return null;
  const release = await findRelease(db, id);
  const recipient = await findRecipient(db, user);
  const account = await accounts.load(db, user);
  if (release?.state !== 'failed' || !release.problem || !recipient || !account) return null;
  const { site, resolved } = await locate(kernel, '/');
  const { caller } = account;
  if (!mailing.isAddress(recipient.email) || !resolved) return null;
  if (![MAKE, PUBLISH].some((permission) => has(site, caller, resolved, permission))) return null;
  const reader = (await readersOf({ kernel, site, caller, resolved }, [id])).get(id)?.reader;
  const say = mailing.wordsIn(site, mailing.languageOf(site, recipient.properties.language));
  const { part, message } = release.problem;
  const isSeen = part === null || reader?.seesPart(part);
  const reason = isSeen ? say(message) : say('One of its parts could not be done.');
  const siteTitle = panelSettings(site, panels.site).site_title;
  return {
    to: [{ name: recipient.fullname, address: recipient.email }],
    subject: say(`A release was not published: ${release.title}`),
    text: `${say('Nothing of this release was published at its time:')} ${release.title}

${say('The reason:')} ${reason}

${siteAddress.of(kernel, site)}/@releases/${id}

${siteTitle}
`,
  };
}

/** The mails about releases. */
export const releaseMails: MailKind[] = [{ kind: FAILURE, compose: composeFailure }];
