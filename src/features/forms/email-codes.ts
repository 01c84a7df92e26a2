import { randomInt } from 'node:crypto';
import {
  type Kernel,
  type MailKind,
  mailing,
  panelSettings,
  panels,
  passwords,
  type Queryable,
  type queue,
  type Site,
} from '#core';
import { textAt } from '#lib/json-members';
import { requireOwnTransaction } from './own-transaction.ts';
import { type CodePlace, forgiveAttempt, storeCode, tryCode } from './statements/email-codes.ts';

/** The kind of a code's mail in the outbox. */
const CODE_MAIL = 'form-code';
const CODE_DIGITS = 8;
/** Minutes for which a code is valid. */
const LIFETIME_MINUTES = 15;
const LIFETIME_MS = LIFETIME_MINUTES * 60_000;
/** Maximum number of wrong codes for one address; then only a new code is accepted. */
const MAX_ATTEMPTS = 5;
/** Maximum length of a code that is checked, in characters. */
const MAX_CODE_LENGTH = 40;

/** The key under which the codes of a form and an address are stored: the case of addresses does not count. */
export const codePlace = (page: string, block: string, address: string): CodePlace => ({
  ...{ page, block },
  address: address.trim().toLowerCase(),
});

/** Queues the mail with a code. The code is made when it is sent, so that the outbox never holds one. */
export const queueCode = (db: Queryable, place: CodePlace): Promise<void> =>
  mailing.queueKind(db, CODE_MAIL, place, { lifetimeMs: LIFETIME_MS });

function codeMail(site: Site, address: string, code: string): mailing.Mail {
  const title = panelSettings(site, panels.site).site_title;
  const say = mailing.wordsIn(site);
  return {
    to: [{ name: '', address }],
    subject: say(`Your code for ${title}`),
    text: `${say('Enter this code into the form to show that this address is yours:')}

${code}

${say(`It counts for ${LIFETIME_MINUTES} minutes. If you did not ask for it, do nothing.`)}
`,
  };
}

async function composeCode(kernel: Kernel, { data }: queue.Item): Promise<mailing.Mail | null> {
  const place = codePlace(textAt(data, 'page'), textAt(data, 'block'), textAt(data, 'address'));
  if (!mailing.isPlausibleAddress(place.address)) return null;
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const expires = new Date(Date.now() + LIFETIME_MS);
  await storeCode(kernel.db, place, { hash: await passwords.hash(code), expires });
  return codeMail(await kernel.sites.current(), place.address, code);
}

/** The mails with codes. */
export const codeMails: readonly MailKind[] = [{ kind: CODE_MAIL, compose: composeCode }];

/**
 * Checks a code from a visitor, and returns the hash of the code of the address; undefined for a wrong, used or expired code, and after too many
 * wrong codes. Throws TooManyRequests when too many checks wait for a hash, and BadRequest in a transaction that would not count wrong codes.
 */
export async function findCode(db: Queryable, place: CodePlace, code: string): Promise<string | undefined> {
  requireOwnTransaction(db);
  const given = code.replace(/\s+/g, '');
  if (given === '' || given.length > MAX_CODE_LENGTH) return undefined;
  const hash = await tryCode(db, place, MAX_ATTEMPTS);
  if (hash === undefined || !(await passwords.verify(hash, given))) return undefined;
  await forgiveAttempt(db, place, hash);
  return hash;
}
