import type { Caller, contentRules, Site, Transaction } from '#core';
import { Slot } from '#lib/slots';
import type { StoredRule } from './statements/rules.ts';

/** Something that happened in a write, and that rules may follow on. */
export type Happening = {
  event: contentRules.Event;
  /** The content that it is about, or the site root. */
  oid: number;
  /** The content, comment or user that it is about: in one chain a rule follows once on each. */
  subject: string;
  /** The rules of the object itself apply, beside those of its container. */
  self: boolean;
  actor: Caller;
  site: Site;
  /** The rules whose actions have led to it, the last one first. */
  causes: readonly string[];
};

/** A failure of a rule, which is reported after the commit. */
export type NotedFailure = { rule: string; path: string; message: string };

/** Runs of rules in one write. */
export const MAX_RUNS = 1000;
/** Maximum length of a chain of rules that lead to each other. */
const MAX_DEPTH = 10;

const keyOf = (rule: string, subject: string): string => JSON.stringify([rule, subject]);

/** The rules that follow on one write, in its transaction. They end: each has one run for an object, and none leads to itself. */
export class RuleChain {
  /** The transaction of the write, or its part in which the running action works. */
  tx: Transaction;
  readonly failures: NotedFailure[] = [];
  /** Happenings that no rule has followed on yet. */
  readonly waiting: Happening[] = [];
  /** The rule that runs now, with those that have led to it. */
  running: { rule: StoredRule; causes: readonly string[] } | undefined;
  /** Grows with each action: what was loaded before may look different then. */
  actions = 0;
  /** Rules as they were when the chain first came to them. */
  readonly rules = new Map<string, StoredRule>();
  #runs = 0;
  readonly #done = new Set<string>();
  readonly #overrun = new Set<string>();

  constructor(tx: Transaction) {
    this.tx = tx;
  }

  /** Says if a rule may run: it has not run for the object yet, and did not cause what happened. */
  isFree({ id }: StoredRule, { subject, causes }: Happening): boolean {
    return !causes.includes(id) && !this.#done.has(keyOf(id, subject));
  }

  /** Begins a run of a rule for an object, its only one. Returns false, and notes it as a failure, when there were too many. */
  claim({ id }: StoredRule, { subject, causes }: Happening, path: string): boolean {
    this.#done.add(keyOf(id, subject));
    if (causes.length >= MAX_DEPTH)
      return this.#tooMuch(id, path, `More than ${MAX_DEPTH} rules have led to each other: this one did not run.`);
    if (this.#runs >= MAX_RUNS)
      return this.#tooMuch(id, path, `More than ${MAX_RUNS} runs of rules in one write: the others were left out.`);
    this.#runs += 1;
    return true;
  }

  /** Notes once for each rule that it was not run. */
  #tooMuch(rule: string, path: string, message: string): false {
    if (!this.#overrun.has(rule)) this.failures.push({ rule, path, message });
    this.#overrun.add(rule);
    return false;
  }
}

/** The chains of the transactions of a kernel, also by the parts of transactions that actions run in. */
export const RULE_CHAINS = new Slot<WeakMap<Transaction, RuleChain>>('chains of rules');
