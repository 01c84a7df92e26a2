import { type Caller, message, requestBatches, type requestsWithin } from '#core';
import { withNote } from '../proposals/approval.ts';
import { notingTransactions } from '../transactions/noted-transactions.ts';
import { kindOfPart } from './allowed-parts.ts';
import { emitChange } from './events.ts';
import { byNumber, ON_CONFLICT, preferring, requestOf } from './requests.ts';
import { SetupNotes } from './setup-changes.ts';
import { listParts, type StoredPart } from './statements/parts.ts';
import { markPublished, type Preferred, type StoredRelease } from './statements/releases.ts';

type Authentication = Parameters<requestsWithin.Sender['perform']>[0];

/** The user as one who publishes a release: records say so. */
const publisherOf = (authentication: Authentication, { id }: Pick<StoredRelease, 'id'>): Authentication => {
  const caller: Caller = { ...authentication.caller, agent: { kind: 'release', id } };
  return { ...authentication, caller };
};

/**
 * Does the parts of a release in their order, with the rights of a user. Throws what the first throws that cannot be done, with its number.
 * `passesLocks` is for what is rolled back; `around` does each part.
 */
export async function performParts(
  sender: requestsWithin.Sender,
  authentication: Authentication,
  {
    release,
    prefer,
    passesLocks = false,
    around = (_part, work) => work(),
  }: {
    release: Pick<StoredRelease, 'id' | 'title'>;
    prefer?: Preferred | undefined;
    passesLocks?: boolean;
    around?: <T>(part: StoredPart | undefined, work: () => Promise<T>) => Promise<T>;
  },
): Promise<number> {
  const parts = await listParts(sender.kernel.db, [release.id]);
  const note = message(`Release: ${release.title}`);
  const { requests, isThere } = byNumber(
    parts.map((part) => {
      const { number, ...request } = preferring(requestOf(part), prefer);
      return { ...withNote(request, note), number };
    }),
  );
  const publisher = publisherOf(authentication, release);
  await requestBatches.perform(requests, {
    base: sender.base,
    isWanted: isThere,
    perform: (request, number) =>
      around(
        parts.find((part) => part.number === number),
        () =>
          sender.perform(publisher, request, {
            passesLocks,
            admit: (service, inner) => void kindOfPart(service, inner, { body: request.body, own: [ON_CONFLICT] }),
          }),
      ),
  });
  return parts.length;
}

/**
 * Publishes a locked release in the transaction of the sender: all of its parts, or none. The release has the numbers of the recorded
 * transactions afterwards, and the former set-up, by which it is undone.
 */
export async function publishRelease(
  sender: requestsWithin.Sender,
  authentication: Authentication,
  { release, prefer, now }: { release: StoredRelease; prefer: Preferred | undefined; now: Date },
): Promise<void> {
  const { kernel } = sender;
  const { caller } = authentication;
  const transactions: number[] = [];
  const noting = notingTransactions(kernel, (transaction) => void transactions.push(transaction));
  const notes = new SetupNotes(kernel.db, release.id);
  await performParts(sender.using(noting), authentication, {
    ...{ release, prefer },
    around: (part, work) => (part?.isSetup === true ? notes.around(transactions, work) : work()),
  });
  await kernel.db.transaction(async (tx) => {
    await markPublished(tx, release.id, { by: caller.id, now, transactions, setup: notes.noted });
    await emitChange({ kernel, caller }, tx, release, 'published');
  });
}
