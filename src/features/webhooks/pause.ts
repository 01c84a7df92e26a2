import {
  callers,
  type Kernel,
  mailing,
  panelSettings,
  panels,
  queue,
  type Site,
  siteAddress,
  type Transaction,
} from '#core';
import { firstPlace, placeBefore } from '../changes/statements/feed.ts';
import { MESSAGES } from './messages.ts';
import { noteAttempt } from './statements/attempts.ts';
import { managersWithMail } from './statements/managers.ts';
import { firstQueued, lockWebhook, moveWebhook, pauseWebhook } from './statements/webhooks.ts';

/** Queues the mail to the Managers with an address. */
async function queueMail(
  kernel: Kernel,
  tx: Transaction,
  site: Site,
  { title, id, problem }: { title: string; id: string; problem: string },
) {
  if (!mailing.hostOf(kernel, site)) return;
  const to = (await managersWithMail(tx)).filter(({ address }) => mailing.isAddress(address));
  if (to.length === 0) return;
  const say = mailing.wordsIn(site);
  const siteTitle = panelSettings(site, panels.site).site_title;
  await mailing.queue(tx, {
    to,
    subject: say(`A webhook of ${siteTitle} is paused`),
    text: `${say(`The webhook "${title}" has failed for too long, and is paused. The last reason:`)}

${problem}

${say('Nothing is lost: once it is switched on again, it sends everything since its first failure.')}

${siteAddress.of(kernel, site)}/@webhooks/${id}
`,
  });
}

const LOST =
  'Messages that were not sent are about events that the feed does not have any more. It goes on with the first that the feed has.';

/**
 * Removes the waiting messages of a locked webhook from the queue. The webhook is set back in the feed to the place before the first of these
 * messages and before `position`, so that it sends all of them when it is resumed. If the feed does not reach so far back, an entry in its attempts
 * says that events are lost.
 */
export async function takeBack(tx: Transaction, id: string, position = Number.POSITIVE_INFINITY): Promise<void> {
  const first = Math.min(position, (await firstQueued(tx, MESSAGES.name, id)) ?? position);
  await queue.removeTopics(tx, MESSAGES.name, { of: [id] });
  if (!Number.isFinite(first)) return;
  const place = await placeBefore(tx, first);
  if (!place)
    await noteAttempt(tx, id, { message: '', type: 'lost', path: '', attempt: 0, status: null, problem: LOST });
  await moveWebhook(tx, id, place ?? (await firstPlace(tx)));
}

/**
 * Pauses a webhook that has failed for too long, and takes back its waiting messages. `position` is the position of the message that has failed now.
 */
export async function pauseFailing(
  kernel: Kernel,
  id: string,
  { problem, position }: { problem: string; position: number },
): Promise<void> {
  const site = await kernel.sites.current();
  await kernel.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, id);
    // The messages of a webhook that was switched off meanwhile are taken back already.
    if (!webhook?.enabled || !(await pauseWebhook(tx, id, problem))) return;
    await takeBack(tx, id, position);
    await queueMail(kernel, tx, site, { title: webhook.title, id, problem });
    const change = { part: 'webhook', id, change: 'paused' };
    await kernel.events.emit('site.changed', change, { tx, caller: callers.system() });
  });
}
