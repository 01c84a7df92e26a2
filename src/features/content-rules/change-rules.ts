import type { Caller, Kernel, Transaction } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { slug } from '#lib/text/slug';
import { type ElementKinds, parseElementValues, requireKind } from './element-values.ts';
import { changeRules } from './followed-events.ts';
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  type StoredRule,
  takenRuleIds,
  updateRule,
} from './statements/rules.ts';

/** Rules of a site. */
const MAX_RULES = 500;
/** Conditions, and actions, of one rule. */
const MAX_ELEMENTS = 50;
/** Name of rules in `site.changed`. */
const PART = 'content-rule';

/** The settings of a rule that a client sends, apart from its conditions and actions. */
export type RuleInput = Pick<StoredRule, 'title' | 'description' | 'event' | 'enabled' | 'stop' | 'cascading'>;

/** One of the two lists of a rule. */
export type ElementList = 'conditions' | 'actions';

/** The address of a rule, for errors. */
const pathOfRule = (id: string): string => `/@controlpanels/content-rules/${id}`;

/** The rule of an id. Throws NotFound. */
export function requireRule<R>(rule: R | undefined, id: string): R {
  if (!rule) throw new NotFound(pathOfRule(id.slice(0, 200)));
  return rule;
}

/** Makes a free id of the title. */
async function newId(tx: Transaction, title: string): Promise<string> {
  const wished = slug(title) || 'rule';
  const candidates = [wished, ...Array.from({ length: MAX_RULES }, (_, number) => `${wished}-${number + 1}`)];
  const taken = await takenRuleIds(tx, candidates);
  const free = candidates.find((id) => !taken.has(id));
  if (free === undefined) throw new BadRequest('There are too many rules of this title.');
  return free;
}

/** Throws BadRequest when the site would have too many rules. */
export async function requireRoom(tx: Transaction, { more = 0 } = {}): Promise<void> {
  if ((await countRules(tx)) + more > MAX_RULES) throw new BadRequest(`A site has at most ${MAX_RULES} content rules.`);
}

/** Makes a rule without conditions and actions, and returns its id. Throws BadRequest when there are too many. */
export const createRule = (kernel: Kernel, caller: Caller, input: RuleInput): Promise<string> =>
  changeRules(kernel, async (tx) => {
    await requireRoom(tx, { more: 1 });
    const id = await newId(tx, input.title);
    await insertRule(tx, { ...input, id, conditions: [], actions: [] });
    await kernel.events.emit('site.changed', { part: PART, id, change: 'created' }, { tx, caller });
    return id;
  });

/** Changes a rule, which is locked meanwhile; `change` returns the new members. Throws NotFound. */
async function changeRule(
  kernel: Kernel,
  { caller, id }: { caller: Caller; id: string },
  change: (rule: StoredRule, tx: Transaction) => Partial<StoredRule> | Promise<Partial<StoredRule>>,
): Promise<void> {
  await changeRules(kernel, async (tx) => {
    const rule = requireRule(await findRule(tx, id, { lock: true }), id);
    const changed = await change(rule, tx);
    await updateRule(tx, { ...rule, ...changed, id });
    const done = { part: PART, id, change: 'edited', names: Object.keys(changed) };
    await kernel.events.emit('site.changed', done, { tx, caller });
  });
}

/** Changes the given members of a rule. Throws NotFound. */
export const patchRule = (
  kernel: Kernel,
  rule: { caller: Caller; id: string },
  input: Partial<RuleInput>,
): Promise<void> => changeRule(kernel, rule, () => input);

/** Removes a rule with its assignments. Throws NotFound. */
export const removeRule = (kernel: Kernel, caller: Caller, id: string): Promise<void> =>
  changeRules(kernel, async (tx) => {
    if (!(await deleteRule(tx, id))) throw new NotFound(pathOfRule(id.slice(0, 200)));
    await kernel.events.emit('site.changed', { part: PART, id, change: 'removed' }, { tx, caller });
  });

/** The place of a condition or an action: its rule, its list and the known kinds; and the caller who changes it. */
export type ElementPlace = { caller: Caller; rule: string; list: ElementList; kinds: ElementKinds };

/** Parses the index in an address. Throws NotFound when the list has no such element. */
export function requireIndex(rule: StoredRule, list: ElementList, index: string): number {
  const number = /^\d{1,4}$/.test(index) ? Number(index) : -1;
  if (rule[list][number] === undefined)
    throw new NotFound(`${pathOfRule(rule.id)}/${list.slice(0, -1)}/${index.slice(0, 100)}`);
  return number;
}

/** Adds a condition or an action at the end of its list in the rule. Throws NotFound, BadRequest for an unknown type, ValidationFailed. */
export async function addElement(
  kernel: Kernel,
  { caller, rule: id, list, kinds }: ElementPlace,
  { input, bases }: { input: JsonObject; bases: readonly string[] },
): Promise<void> {
  const kind = requireKind(kinds, input.type);
  await changeRules(kernel, async (tx, site) => {
    const rule = requireRule(await findRule(tx, id, { lock: true }), id);
    if (rule[list].length >= MAX_ELEMENTS)
      throw new BadRequest(`A rule has at most ${MAX_ELEMENTS} conditions and as many actions.`);
    const values = await parseElementValues({ kernel, site, db: tx, bases }, kind, { input });
    await updateRule(tx, { ...rule, [list]: [...rule[list], { type: kind.name, values }] });
    const done = { part: PART, id, change: 'edited', names: [list] };
    await kernel.events.emit('site.changed', done, { tx, caller });
  });
}

/** Changes the given values of a condition or an action. Throws NotFound, BadRequest, ValidationFailed. */
export async function changeElement(
  kernel: Kernel,
  { caller, rule: id, list, kinds }: ElementPlace,
  { index, input, bases }: { index: string; input: JsonObject; bases: readonly string[] },
): Promise<void> {
  await changeRules(kernel, async (tx, site) => {
    const rule = requireRule(await findRule(tx, id, { lock: true }), id);
    const at = requireIndex(rule, list, index);
    const current = rule[list][at];
    const kind = requireKind(kinds, current?.type);
    if (input.type !== undefined && requireKind(kinds, input.type) !== kind)
      throw new BadRequest('The type stays as it is: remove this one and add another.');
    const values = await parseElementValues({ kernel, site, db: tx, bases }, kind, {
      input,
      current: current?.values ?? {},
    });
    await updateRule(tx, { ...rule, [list]: rule[list].with(at, { type: kind.name, values }) });
    const done = { part: PART, id, change: 'edited', names: [list] };
    await kernel.events.emit('site.changed', done, { tx, caller });
  });
}

/** Moves a condition or an action one place up or down. Throws NotFound, and BadRequest at the end. */
export const moveElement = (
  kernel: Kernel,
  { caller, rule, list }: Omit<ElementPlace, 'kinds'>,
  { index, direction }: { index: string; direction: 'up' | 'down' },
): Promise<void> =>
  changeRule(kernel, { caller, id: rule }, (stored) => {
    const from = requireIndex(stored, list, index);
    const to = direction === 'up' ? from - 1 : from + 1;
    const [moved, other] = [stored[list][from], stored[list][to]];
    if (!moved || !other) throw new BadRequest('Invalid move.');
    return { [list]: stored[list].with(from, other).with(to, moved) };
  });

/** Removes a condition or an action. Throws NotFound. */
export const removeElement = (
  kernel: Kernel,
  { caller, rule, list }: Omit<ElementPlace, 'kinds'>,
  index: string,
): Promise<void> =>
  changeRule(kernel, { caller, id: rule }, (stored) => ({
    [list]: stored[list].toSpliced(requireIndex(stored, list, index), 1),
  }));
