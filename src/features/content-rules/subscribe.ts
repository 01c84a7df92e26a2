import {
  type Caller,
  type ContentEvents,
  type EventName,
  type Kernel,
  locate,
  ROOT,
  type RuleEvent,
  type Site,
  type Transaction,
} from '#core';
import { followedBy } from './followed-events.ts';
import { type Happening, RULE_CHAINS, RuleChain } from './rule-chain.ts';
import { type RuleEventName, titleOfEvent } from './rule-events.ts';
import { followOn, runWaiting } from './run-rules.ts';
import { insertFailures } from './statements/failures.ts';

/** The state that everybody knows as public. */
const PUBLISHED = 'published';

/** The events that have a meaning for rules: each tells its site, and most of them their content. */
type Followable = Exclude<
  EventName,
  | 'content.imported'
  | 'content.reordered'
  | 'content.shared'
  | 'content.translated'
  | 'comment.changed'
  | 'settings.changed'
  | 'site.changed'
  | 'user.loginFailed'
>;

/** What an event of the site is for rules. */
type Meaning<N extends Followable> = {
  names(event: ContentEvents[N]): readonly RuleEventName[];
  /** What is known of it beside its name. */
  details?(event: ContentEvents[N]): Partial<RuleEvent>;
  /** What it is about, where that is not the content. */
  subject?(event: ContentEvents[N]): string;
};

/** The number of the content that an event is about; of the site root where it is about a user. */
type Placed = { oid?: number; site?: Site | undefined };

/** The chain of a transaction: it ends with the transaction, and its failures are told when that is committed. */
function chainOf(kernel: Kernel, tx: Transaction): RuleChain {
  const chains = kernel.slots.get(RULE_CHAINS);
  const known = chains.get(tx);
  if (known) return known;
  const chain = new RuleChain(tx);
  chains.set(tx, chain);
  tx.beforeCommit(() => runWaiting(kernel, chain));
  tx.afterCommit(async () => {
    const at = new Date();
    if (chain.failures.length > 0)
      await insertFailures(
        kernel.db,
        chain.failures.map((failure) => ({ ...failure, at })),
      );
  });
  return chain;
}

/**
 * Whether what happens now may start rules: what a rule does itself only where that rule says so, and what an undo does never, as
 * rules would change again what it puts back.
 */
const mayStart = ({ running }: RuleChain, { agent }: Caller): boolean =>
  agent?.kind !== 'undo' && (running === undefined || running.rule.cascading);

async function rootOf(kernel: Kernel, tx: Transaction): Promise<number> {
  const { resolved } = await locate(kernel, ROOT, tx);
  if (!resolved) throw new Error('The site has no root');
  return resolved.object.oid;
}

/** Lets rules follow on an event of the site. Without such rules the event costs nothing. */
function follow<N extends Followable>(kernel: Kernel, name: N, meaning: Meaning<N>): void {
  const followed = (event: ContentEvents[N]): RuleEventName[] => {
    const { site }: Placed = event;
    const events = site ? followedBy(site) : [];
    return events.length === 0 ? [] : meaning.names(event).filter((one) => events.includes(one));
  };
  const happen = async (event: ContentEvents[N], { tx, caller }: { tx: Transaction; caller: Caller }) => {
    const { oid = await rootOf(kernel, tx), site }: Placed = event;
    const chain = chainOf(kernel, tx);
    if (!site || !mayStart(chain, caller)) return;
    for (const one of followed(event)) {
      const happening: Happening = {
        event: { name: one, title: titleOfEvent(one), ...meaning.details?.(event) },
        oid,
        subject: meaning.subject?.(event) ?? `content:${oid}`,
        self: meaning.subject !== undefined,
        actor: caller,
        site,
        causes: chain.running?.causes ?? [],
      };
      // What is about to go is still there now, and only now.
      if (happening.event.removing) await followOn(kernel, chain, [happening]);
      else chain.waiting.push(happening);
    }
  };
  kernel.events.on(name, happen, (event) => followed(event).length > 0);
}

const commentOf = ({
  comment: id,
  said,
}: ContentEvents['comment.created' | 'comment.removing' | 'comment.transitioned']) => ({
  comment: { id, ...said },
});

const subjectOfComment = ({ comment }: { comment: string }): string => `comment:${comment}`;
const subjectOfUser = ({ id }: { id: string }): string => `user:${id}`;

/**
 * Lets content rules follow on what happens. What was imported, and the root of a new site, happen without rules; and so does what
 * happens to working copies, which nobody is to see before they are checked in. The check-in is a modification of the original.
 */
export function subscribeRules(kernel: Kernel): void {
  kernel.slots.set(RULE_CHAINS, new WeakMap());
  follow(kernel, 'content.created', { names: () => ['onAfterAdd'] });
  follow(kernel, 'content.restored', { names: () => ['onAfterAdd'] });
  follow(kernel, 'content.copied', { names: () => ['onAfterCopy', 'onAfterAdd'] });
  follow(kernel, 'content.moved', { names: () => ['onAfterMove'] });
  // A new version of unchanged content is no change.
  follow(kernel, 'content.modified', { names: ({ fields }) => (fields.length > 0 ? ['onAfterModified'] : []) });
  follow(kernel, 'content.removing', {
    // The link to the baseline is gone by now.
    names: ({ isWorkingCopy }) => (isWorkingCopy ? [] : ['onAfterDelete']),
    details: () => ({ removing: true }),
  });
  follow(kernel, 'content.transitioned', {
    names: ({ to }) => (to === PUBLISHED ? ['onAfterChangeWorkflow', 'onAfterPublish'] : ['onAfterChangeWorkflow']),
  });
  follow(kernel, 'comment.created', {
    names: ({ said }) =>
      said.inReplyTo === null ? ['onAfterAddComment'] : ['onAfterAddComment', 'onAfterReplyComment'],
    details: commentOf,
    subject: subjectOfComment,
  });
  follow(kernel, 'comment.transitioned', {
    names: ({ to }) => (to === PUBLISHED ? ['onAfterPublishComment'] : []),
    details: commentOf,
    subject: subjectOfComment,
  });
  follow(kernel, 'comment.removing', {
    names: () => ['onAfterDeleteComment'],
    details: commentOf,
    subject: subjectOfComment,
  });
  follow(kernel, 'user.loggedIn', { names: () => ['onAfterLogin'], subject: subjectOfUser });
  follow(kernel, 'user.loggedOut', { names: () => ['onAfterLogout'], subject: subjectOfUser });
  const details = ({ id }: { id: string }) => ({ user: id });
  follow(kernel, 'user.created', { names: () => ['onAfterCreateUser'], details, subject: subjectOfUser });
  follow(kernel, 'user.removing', { names: () => ['onAfterDeleteUser'], details, subject: subjectOfUser });
}
