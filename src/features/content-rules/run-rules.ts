import { type Caller, contentRules, findContents, type Kernel, type ResolvedNode, withSavepoint } from '#core';
import { ClientError } from '#lib/errors';
import { type Happening, RULE_CHAINS, type RuleChain } from './rule-chain.ts';
import { findRules, matchRules, type StoredElement, type StoredRule } from './statements/rules.ts';
import { substituter } from './substitutions.ts';

/** Objects that are loaded at once. */
const BATCH = 100;

/**
 * The actor with the rights of a Manager: managers have decided what a rule does, and any actor may start it (plone.app.contentrules). Histories and
 * new content have the name of the actor; records name the rule, too. An agent that must not publish cannot publish by a rule either.
 */
function callerOfRule(id: string, actor: Caller): Caller {
  const roles = [...new Set([...actor.roles, 'Manager'])];
  const principals = [...new Set([...actor.principals, 'role:Manager'])];
  const isBound = actor.agent?.publishes === false;
  return { ...actor, roles, principals, agent: { kind: 'content-rule', id, ...(isBound && { publishes: false }) } };
}

/** The message of a failure for users; the log has its cause. */
const describe = (error: unknown): string =>
  error instanceof ClientError ? error.message : 'An unexpected error, which the log of the server describes.';

/** Runs the rules for all waiting events, until none is left, at the end of the write. */
export async function runWaiting(kernel: Kernel, chain: RuleChain): Promise<void> {
  while (chain.waiting.length > 0) {
    const [first] = chain.waiting;
    // Successive events of the same kind are handled together.
    const other = chain.waiting.findIndex(({ event, self }) => event.name !== first?.event.name || self !== first.self);
    await followOn(kernel, chain, chain.waiting.splice(0, other === -1 ? chain.waiting.length : other));
  }
}

/** Runs the rules for several occurrences of one event, in their order. */
export async function followOn(kernel: Kernel, chain: RuleChain, happenings: readonly Happening[]): Promise<void> {
  const [first] = happenings;
  if (!first) return;
  const { event, self } = first;
  for (let at = 0; at < happenings.length; at += BATCH) {
    const batch = happenings.slice(at, at + BATCH);
    const oids = [...new Set(batch.map(({ oid }) => oid))];
    const rules = await rulesFor(chain, { event: event.name, oids, self });
    const concerned = batch.filter(({ oid }) => rules.has(oid));
    if (concerned.length === 0) continue;
    const loaded = await loadContent(chain, concerned);
    for (const happening of concerned)
      await runFor(kernel, chain, happening, { rules: rules.get(happening.oid) ?? [], loaded });
  }
}

/** The rules that apply to objects, by the numbers of the objects. A chain loads each rule once. */
async function rulesFor(
  chain: RuleChain,
  match: { event: string; oids: readonly number[]; self: boolean },
): Promise<Map<number, StoredRule[]>> {
  const matches = await matchRules(chain.tx, match);
  const missing = [...new Set(matches.map(({ rule }) => rule))].filter((id) => !chain.rules.has(id));
  for (const rule of missing.length === 0 ? [] : await findRules(chain.tx, missing)) chain.rules.set(rule.id, rule);
  const rules = new Map<number, StoredRule[]>();
  for (const { oid, rule: id } of matches) {
    const rule = chain.rules.get(id);
    if (rule) rules.set(oid, [...(rules.get(oid) ?? []), rule]);
  }
  return rules;
}

type Loaded = { content: ReadonlyMap<number, ResolvedNode>; actions: number };

async function loadContent(chain: RuleChain, happenings: readonly Happening[]): Promise<Loaded> {
  const nodes = await findContents(chain.tx, { oids: [...new Set(happenings.map(({ oid }) => oid))] });
  return { content: new Map(nodes.map((node) => [node.object.oid, node])), actions: chain.actions };
}

/** Runs the rules for one object, one after the other. Each rule gets the object as the earlier rules have left it. */
async function runFor(
  kernel: Kernel,
  chain: RuleChain,
  happening: Happening,
  { rules, loaded }: { rules: readonly StoredRule[]; loaded: Loaded },
): Promise<void> {
  let present = loaded;
  for (const rule of rules) {
    if (present.actions !== chain.actions) present = await loadContent(chain, [happening]);
    const content = present.content.get(happening.oid);
    // A rule has removed the object.
    if (!content) return;
    if (!chain.isFree(rule, happening)) continue;
    const ran = await runRule(kernel, chain, { rule, happening, content });
    if (ran && rule.stop) return;
  }
}

type RuleRun = { rule: StoredRule; happening: Happening; content: ResolvedNode };

/** Runs a rule if its conditions hold. Returns whether they do. */
async function runRule(kernel: Kernel, chain: RuleChain, run: RuleRun): Promise<boolean> {
  const { rule, happening, content } = run;
  const { event, actor, site, causes } = happening;
  const context = { kernel, site, rule: { id: rule.id, title: rule.title }, event, content, actor };
  if (!(await conditionsHold(chain, rule, context))) return false;
  if (!chain.claim(rule, happening, content.object.path)) return false;
  const before = chain.running;
  chain.running = { rule, causes: [rule.id, ...causes] };
  try {
    for (const action of rule.actions) if (!(await runAction(chain, run, context, action))) break;
  } finally {
    chain.running = before;
  }
  return true;
}

type SharedContext = Omit<contentRules.Context, 'values'>;

function noteFailure(chain: RuleChain, { kernel, rule, content }: SharedContext, error: unknown): void {
  const { path } = content.object;
  kernel.log.warn({ err: error, rule: rule.id, path }, 'a content rule failed');
  chain.failures.push({ rule: rule.id, path, message: describe(error) });
}

async function conditionsHold(chain: RuleChain, rule: StoredRule, context: SharedContext): Promise<boolean> {
  const kinds = context.kernel.slots.get(contentRules.KINDS).conditions;
  for (const { type, values } of rule.conditions) {
    const kind = kinds.get(type);
    try {
      if (!kind) throw new MissingKind(`The condition "${type}" is not there any more: the rule did not run.`);
      if (!(await kind.passes({ ...context, values }))) return false;
    } catch (error) {
      noteFailure(chain, context, error);
      return false;
    }
  }
  return true;
}

/** Thrown when the feature with a kind of conditions or actions is missing. */
class MissingKind extends ClientError {
  constructor(message: string) {
    super(400, 'BadRequest', message);
  }
}

/**
 * Runs an action on the object as it is now. Returns whether the next action may run: a failed action stops the rule, because later actions may
 * depend on it, such as a removal on a copy.
 */
async function runAction(
  chain: RuleChain,
  { happening, content }: RuleRun,
  shared: SharedContext,
  { type, values }: StoredElement,
): Promise<boolean> {
  const { kernel, actor } = shared;
  const [present] = happening.event.removing ? [content] : await findContents(chain.tx, { oids: [happening.oid] });
  if (!present) return false;
  const context = { ...shared, content: present, values };
  const waiting = chain.waiting.length;
  chain.actions += 1;
  const outer = chain.tx;
  const undone = await withSavepoint(outer, async (tx) => {
    const kind = kernel.slots.get(contentRules.KINDS).actions.get(type);
    if (!kind) throw new MissingKind(`The action "${type}" is not there any more.`);
    kernel.slots.get(RULE_CHAINS).set(tx, chain);
    chain.tx = tx;
    try {
      await kind.run({
        ...context,
        tx,
        caller: callerOfRule(shared.rule.id, actor),
        substitute: substituter(context, tx),
      });
    } finally {
      chain.tx = outer;
    }
  });
  if (!undone) return true;
  chain.waiting.length = waiting;
  noteFailure(chain, context, undone.error);
  return false;
}
