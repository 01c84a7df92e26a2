import {
  type Caller,
  type ContentEvents,
  contentPath,
  type EventName,
  findContent,
  type Kernel,
  type RuleTriggers,
  type Site,
  type Transaction,
} from '#core';
import { followedBy } from './followed-events.ts';
import { type Happening, RULE_CHAINS, RuleChain } from './rule-chain.ts';
import { titleOfEvent } from './rule-events.ts';
import { followOn, runWaiting } from './run-rules.ts';
import { insertFailures } from './statements/failures.ts';

/** An event with the number of its content; events of users have none and belong to the site root. */
type Placed = object & { oid?: number; site?: Site | undefined };

/** Returns the chain of a transaction: it ends with the transaction, and its failures are stored after the commit. */
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
 * Says if an event may start rules. Actions of a rule may start others if the rule is cascading; an undo never may, because rules would change the
 * restored content again.
 */
const mayStart = ({ running }: RuleChain, { agent }: Caller): boolean =>
  agent?.kind !== 'undo' && (running === undefined || running.rule.cascading);

async function rootOf(kernel: Kernel, tx: Transaction): Promise<number> {
  const resolved = await findContent(kernel, contentPath.ROOT, tx);
  if (!resolved) throw new Error('The site has no root');
  return resolved.object.oid;
}

/** Subscribes the rules to an event that has triggers. Without rules for it the event costs nothing. */
function follow<N extends EventName>(kernel: Kernel, name: N): void {
  const { rules } = kernel.events.describe(name);
  if (!rules) return;
  const followed = (event: ContentEvents[N]): (keyof RuleTriggers)[] => {
    const { site }: Placed = event;
    const events = site ? followedBy(site) : [];
    return events.length === 0 ? [] : rules.triggers(event).filter((one) => events.includes(one));
  };
  const happen = async (event: ContentEvents[N], { tx, caller }: { tx: Transaction; caller: Caller }) => {
    const { oid = await rootOf(kernel, tx), site }: Placed = event;
    const chain = chainOf(kernel, tx);
    if (!site || !mayStart(chain, caller)) return;
    for (const one of followed(event)) {
      const happening: Happening = {
        event: { name: one, title: titleOfEvent(one), ...rules.details?.(event) },
        oid,
        subject: rules.subject?.(event) ?? `content:${oid}`,
        self: rules.subject !== undefined,
        actor: caller,
        site,
        causes: chain.running?.causes ?? [],
      };
      // Content that is being removed exists only until the event ends.
      if (happening.event.removing) await followOn(kernel, chain, [happening]);
      else chain.waiting.push(happening);
    }
  };
  kernel.events.on(name, happen, (event) => followed(event).length > 0);
}

/** Subscribes the content rules to events, by the descriptions of the events. */
export function subscribeRules(kernel: Kernel): void {
  kernel.slots.set(RULE_CHAINS, new WeakMap());
  for (const name of kernel.events.names) follow(kernel, name);
}
