import type { Caller, contentRules, Site, Transaction } from '#core';
import { Slot } from '#lib/slots';
import type { StoredRule } from './statements/rules.ts';

/** An event in a write that rules may follow on. */
export type Happening = {
  event: contentRules.Event;
  /** The content of the event, or the site root. */
  oid: number;
  /** The content, comment or user of the event: in one chain a rule runs once for each. */
  subject: string;
  /** True if the rules of the object itself apply, beside the rules of its container. */
  self: boolean;
  actor: Caller;
  site: Site;
  /** The rules whose actions have caused the event, the last rule first. */
  causes: readonly string[];
};

/** A failure of a rule, which is reported after the commit. */
export type NotedFailure = { rule: string; path: string; message: string };

/** Maximum number of runs of rules in one write. */
export const MAX_RUNS = 1000;
/** Maximum length of a chain of rules that lead to each other. */
const MAX_DEPTH = 10;

const keyOf = (rule: string, subject: string): string => JSON.stringify([rule, subject]);

/** The rules that follow on one write, in its transaction. A chain ends: each rule runs once for an object, and no rule causes itself. */
export class RuleChain {
  /** The transaction of the write, or its part in which the running action works. */
  tx: Transaction;
  readonly failures: NotedFailure[] = [];
  /** Events that no rule has followed on yet. */
  readonly waiting: Happening[] = [];
  /** The rule that runs now, with the rules that have caused its run. */
  running: { rule: StoredRule; causes: readonly string[] } | undefined;
  /** Counts the actions: an object that was loaded before an action may have changed. */
  actions = 0;
  /** Rules by their ids, as the chain first loaded them. */
  readonly rules = new Map<string, StoredRule>();
  #runs = 0;
  readonly #done = new Set<string>();
  readonly #overrun = new Set<string>();

  constructor(tx: Transaction) {
    this.tx = tx;
  }

  /** Says if a rule may run: it has not run for the object yet, and did not cause the event. */
  isFree({ id }: StoredRule, { subject, causes }: Happening): boolean {
    return !causes.includes(id) && !this.#done.has(keyOf(id, subject));
  }

  /** Begins the only run of a rule for an object. Returns false, and notes a failure, when there were too many runs. */
  claim({ id }: StoredRule, { subject, causes }: Happening, path: string): boolean {
    this.#done.add(keyOf(id, subject));
    if (causes.length >= MAX_DEPTH)
      return this.#tooMuch(id, path, `More than ${MAX_DEPTH} rules have led to each other: this one did not run.`);
    if (this.#runs >= MAX_RUNS)
      return this.#tooMuch(id, path, `More than ${MAX_RUNS} runs of rules in one write: the others were left out.`);
    this.#runs += 1;
    return true;
  }

  /** Notes that a rule was not run, once for each rule. */
  #tooMuch(rule: string, path: string, message: string): false {
    if (!this.#overrun.has(rule)) this.failures.push({ rule, path, message });
    this.#overrun.add(rule);
    return false;
  }
}

/** The chains by the transactions of a kernel, and by the savepoints that actions run in. */
export const RULE_CHAINS = new Slot<WeakMap<Transaction, RuleChain>>('chains of rules');
