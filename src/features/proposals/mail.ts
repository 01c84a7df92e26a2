import {
  accounts,
  type Kernel,
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
import { hashToken } from '#lib/text/random-token';
import { expiryOf } from '../preview-links/link-terms.ts';
import { readerOf } from './found-proposal.ts';
import { MAX_LINKS, newLinkToken, previewAddress } from './link-viewer.ts';
import { proposalSettings } from './panel.ts';
import type { Reader } from './rights.ts';
import { listComments } from './statements/comments.ts';
import { insertLink } from './statements/links.ts';
import { findProposal, type ListedProposal, type StoredProposal } from './statements/proposals.ts';
import { findRecipient, usersNamed } from './statements/recipients.ts';

/** Mails about one proposal at once. */
const MAX_RECIPIENTS = 100;

/** The subject of a mail. */
type Occasion = 'asked' | 'decided' | 'commented';

const NEWS = 'proposal-news';

const queueNews = (tx: Queryable, occasion: Occasion, proposal: string, user: string): Promise<void> =>
  mailing.queueKind(tx, NEWS, { occasion, proposal, user });

const addressOf = (kernel: Kernel, site: Site, id: string): string =>
  `${siteAddress.of(kernel, site)}/@proposals/${id}`;

/** Queues the mails to those who are asked to decide about a proposal. */
export async function queueAskMails(
  tx: Queryable,
  kernel: Kernel,
  site: Site,
  { id, reviewers }: Pick<StoredProposal, 'id' | 'reviewers'>,
): Promise<void> {
  if (!proposalSettings(site).mail_reviewers || !mailing.hostOf(kernel, site)) return;
  for (const user of await usersNamed(tx, reviewers, MAX_RECIPIENTS)) await queueNews(tx, 'asked', id, user);
}

/** Queues the mails about a new proposal: to those who are asked, and to the address of the panel, where the site has a mail server. */
export async function queueNewMails(
  tx: Queryable,
  kernel: Kernel,
  site: Site,
  proposal: Pick<StoredProposal, 'id' | 'title' | 'reviewers'>,
): Promise<void> {
  const { id, title } = proposal;
  const { mail_to: address } = proposalSettings(site);
  await queueAskMails(tx, kernel, site, proposal);
  if (!mailing.isAddress(address) || !mailing.hostOf(kernel, site)) return;
  const say = mailing.wordsIn(site);
  await mailing.queue(tx, {
    to: [{ name: '', address }],
    subject: say(`New proposal: ${title}`),
    text: `${say('A proposal waits for a decision:')} ${title}\n\n${addressOf(kernel, site, id)}\n`,
  });
}

/** Queues the mail to the creator of a proposal that somebody else has decided. */
export async function queueDecisionMail(
  tx: Queryable,
  kernel: Kernel,
  site: Site,
  { proposal, by }: { proposal: Pick<ListedProposal, 'id' | 'creator'>; by: string | null },
): Promise<void> {
  if (proposal.creator === by || !proposalSettings(site).mail_creators || !mailing.hostOf(kernel, site)) return;
  await queueNews(tx, 'decided', proposal.id, proposal.creator);
}

/** Queues the mails about a comment: to the creator of the proposal and to those who have commented before. */
export async function queueCommentMails(
  tx: Queryable,
  kernel: Kernel,
  site: Site,
  { proposal, author }: { proposal: Pick<ListedProposal, 'id' | 'creator'>; author: string | null },
): Promise<void> {
  if (!proposalSettings(site).mail_creators || !mailing.hostOf(kernel, site)) return;
  const authors = (await listComments(tx, proposal.id)).flatMap((comment) => comment.author ?? []);
  const users = new Set([proposal.creator, ...authors].slice(0, MAX_RECIPIENTS));
  for (const user of users) if (user !== author) await queueNews(tx, 'commented', proposal.id, user);
}

/** The words of a mail, its subject and its first sentence; undefined where there is nothing to say any more. */
function wordsOf(
  say: (text: string) => string,
  occasion: Occasion,
  { title, state }: StoredProposal,
): { subject: string; sentence: string } | undefined {
  if (occasion === 'commented')
    return {
      subject: say(`New comment on the proposal: ${title}`),
      sentence: say('Somebody has commented on a proposal:'),
    };
  if (occasion === 'asked') {
    if (state !== 'pending') return undefined;
    return { subject: say(`New proposal: ${title}`), sentence: say('You are asked to decide about a proposal:') };
  }
  const subject = say(`Decision on the proposal: ${title}`);
  if (state === 'approved') return { subject, sentence: say('Your proposal was approved:') };
  if (state === 'rejected') return { subject, sentence: say('Your proposal was rejected:') };
  return state === 'expired'
    ? { subject, sentence: say('Nobody has decided about your proposal in time:') }
    : undefined;
}

/**
 * The paragraph with the link by which a reviewer sees the pages of a proposal; empty for one who may not do its writes. A mail that is tried
 * again has a new token, and the old one ends.
 */
async function previewText(
  kernel: Kernel,
  site: Site,
  {
    proposal,
    reader,
    item,
    say,
  }: { proposal: StoredProposal; reader: Reader; item: string; say(text: string): string },
): Promise<string> {
  const { id: creator } = reader.caller;
  if (creator === null || !proposalSettings(site).mail_preview || !reader.mayDo(proposal)) return '';
  const now = new Date();
  const token = newLinkToken();
  const link = {
    ...{ id: `mail-${item}`, proposal: proposal.id, creator, title: say('Mail to the reviewer'), created: now },
    expires: expiryOf(now),
  };
  const fits = await kernel.db.transaction((tx) => insertLink(tx, { ...link, hash: hashToken(token) }, MAX_LINKS));
  const address = previewAddress(siteAddress.of(kernel, site), proposal.id, { token });
  return fits ? `\n${say('Its pages as they would be, for those who have this link:')}\n${address}\n` : '';
}

/** The mail in the language of its recipient; null for one who cannot get it, or who may not see the proposal when it is sent. */
async function composeNews(kernel: Kernel, { id: item, data }: queue.Item): Promise<mailing.Mail | null> {
  const { db } = kernel;
  const { occasion, proposal: id, user: userId } = isJsonObject(data) ? data : {};
  if (typeof id !== 'string' || typeof userId !== 'string') return null;
  if (occasion !== 'asked' && occasion !== 'decided' && occasion !== 'commented') return null;
  const proposal = await findProposal(db, id);
  const recipient = await findRecipient(db, userId);
  const account = await accounts.load(db, userId);
  if (!proposal || !recipient || !account || !mailing.isAddress(recipient.email)) return null;
  const site = await kernel.sites.current();
  const reader = await readerOf({ kernel, site, caller: account.caller }, [proposal]);
  if (!reader.sees(proposal)) return null;
  const say = mailing.wordsIn(site, mailing.languageOf(site, recipient.properties.language));
  const words = wordsOf(say, occasion, proposal);
  if (!words) return null;
  const { subject, sentence } = words;
  const comment = occasion === 'decided' ? proposal.decision : occasion === 'asked' ? proposal.comment : '';
  const preview =
    occasion === 'asked' ? await previewText(kernel, site, { proposal, reader, item: String(item), say }) : '';
  const siteTitle = panelSettings(site, panels.site).site_title;
  return {
    to: [{ name: recipient.fullname, address: recipient.email }],
    subject,
    text: `${sentence} ${proposal.title}
${comment === '' ? '' : `\n${comment}\n`}
${addressOf(kernel, site, id)}
${preview}
${siteTitle}
`,
  };
}

/** The mails about proposals. */
export const proposalMails: MailKind[] = [{ kind: NEWS, compose: composeNews }];
