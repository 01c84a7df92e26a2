import { audit, type Caller, type journal, type Site, type Transaction, versions } from '#core';
import { Slot } from '#lib/slots';
import { announceAlone } from '../changes/statements/announce.ts';
import { auditEntryOf, moreEntry, undoEntry } from './audit-entries.ts';
import { describeSteps } from './describe.ts';
import { insertTransaction, lastTransaction } from './statements/record.ts';

/** Maximum number of stored steps of a transaction. A transaction with more steps cannot be undone. */
const MAX_STEPS = 1000;
/** Maximum number of entries of the audit log from one transaction; of further entries it has the number. */
const MAX_ENTRIES = 50_000;

/** A record with a number for its order, because parts are joined later. */
type Numbered<T> = T & { order: number };

/** Records of one part of a transaction, which may still be rolled back alone. */
type Part = {
  site: Site | undefined;
  steps: Numbered<journal.Step>[];
  /** Number of further steps, which are not stored. */
  more: number;
  /** Entries of the audit log, including those of further steps. */
  entries: Numbered<audit.Entry>[];
  /** Number of further entries, which are not stored. */
  moreEntries: number;
  /** Notes for the feed of changes. */
  changes: journal.ChangeNote[];
  /** The entries of edits by the numbers of their objects. */
  edits: Map<number | null, audit.Entry>;
};

/** Records of a transaction. */
type Collected = Omit<Part, 'edits'> & { caller: Caller; undoes: number[]; isScheduled: boolean };

const nothing = () => ({ site: undefined, steps: [], more: 0, entries: [], moreEntries: 0, changes: [] });

/**
 * Records the steps of transactions, with one statement at the end of each transaction with changes. Records of a part of the transaction count only
 * if the part is not rolled back.
 */
export class Recorder {
  readonly #kinds: journal.StepKinds;
  readonly #afterRecord: () => Promise<void>;
  readonly #isDated: () => boolean;
  readonly #parts = new WeakMap<Transaction, Part>();
  readonly #whole = new WeakMap<Transaction['origin'], Collected>();
  /** The transactions that have their row. */
  readonly #written = new WeakSet<Transaction['origin']>();
  #recorded = 0;

  /**
   * `afterRecord` runs after the commit of each transaction that was recorded; `isDated` says if dates of publication hide content.
   */
  constructor(
    kinds: journal.StepKinds,
    { afterRecord, isDated }: { afterRecord: () => Promise<void>; isDated: () => boolean },
  ) {
    this.#kinds = kinds;
    this.#afterRecord = afterRecord;
    this.#isDated = isDated;
  }

  /** Adds a step of the transaction. Edits of one object become one step; `site` says which types have versions. */
  record(tx: Transaction, caller: Caller, change: journal.Step, site?: Site): void {
    const part = this.#partOf(tx, caller);
    part.site ??= site;
    this.#recorded += 1;
    const step = { ...change, order: this.#recorded, ...(caller.agent && { agent: caller.agent }) };
    recordEntry(part, step, auditEntryOf(this.#kinds, step));
    if (step.action === 'edited') {
      const same = part.steps.findLast(({ content }) => content === step.content);
      if (same?.action === 'edited') {
        const fields = [...new Set([...same.data.fields, ...step.data.fields])];
        same.data = { fields, versions: same.data.versions + step.data.versions };
        return;
      }
    }
    if (part.steps.length < MAX_STEPS) part.steps.push(step);
    else part.more += 1;
  }

  /** Adds notes for the feed of changes, which are stored with the steps of the transaction. */
  note(tx: Transaction, caller: Caller, changes: readonly journal.ChangeNote[]): void {
    if (changes.length === 0) return;
    const part = this.#partOf(tx, caller);
    for (const change of changes) part.changes.push(change);
  }

  /** Marks other transactions, which are locked, as undone by this transaction. */
  undoing(tx: Transaction, caller: Caller, ids: readonly number[]): void {
    const whole = this.#wholeOf(tx, caller);
    whole.undoes.push(...ids);
    this.#schedule(tx, whole);
  }

  /**
   * Calls `work` with the number of the row of a transaction once the row is written, before the commit. Does nothing if nothing is recorded. Call it
   * after all other work of the transaction.
   */
  whenRecorded(tx: Transaction, work: (transaction: number) => Promise<void>): void {
    const atEnd = async (): Promise<void> => {
      if (this.#written.has(tx.origin)) await work(await lastTransaction(tx));
    };
    tx.beforeCommit(atEnd, 'last');
  }

  #partOf(tx: Transaction, caller: Caller): Part {
    const known = this.#parts.get(tx);
    if (known) return known;
    const part: Part = { ...nothing(), edits: new Map() };
    this.#parts.set(tx, part);
    tx.beforeCommit(async () => {
      // Later work before the commit, such as content rules, begins another part.
      this.#parts.delete(tx);
      const whole = this.#wholeOf(tx, caller);
      whole.site ??= part.site;
      const room = MAX_STEPS - whole.steps.length;
      whole.steps.push(...part.steps.slice(0, room));
      whole.more += part.more + Math.max(0, part.steps.length - room);
      const space = MAX_ENTRIES - whole.entries.length;
      for (const entry of part.entries.slice(0, space)) whole.entries.push(entry);
      whole.moreEntries += part.moreEntries + Math.max(0, part.entries.length - space);
      for (const change of part.changes) whole.changes.push(change);
      this.#schedule(tx, whole);
    });
    return part;
  }

  #wholeOf({ origin }: Transaction, caller: Caller): Collected {
    const known = this.#whole.get(origin);
    if (known) return known;
    const whole: Collected = { ...nothing(), caller, undoes: [], isScheduled: false };
    this.#whole.set(origin, whole);
    return whole;
  }

  /** Writes at the very end, so that all parts are in one row. */
  #schedule(tx: Transaction, whole: Collected): void {
    if (whole.isScheduled) return;
    whole.isScheduled = true;
    tx.beforeCommit(() => this.#write(tx, whole), 'record');
  }

  async #write(
    tx: Transaction,
    { caller, site, undoes, more, moreEntries, changes, ...whole }: Collected,
  ): Promise<void> {
    const [steps, entries] = [inOrder(whole.steps), inOrder(whole.entries)];
    const isDated = this.#isDated();
    if (steps.length === 0 && undoes.length === 0) {
      if (changes.length > 0) await announceAlone(tx, changes, isDated);
      return;
    }
    const deleted = pathsOfDeleted(entries);
    for (const one of [...steps, ...entries]) {
      const path = deleted.get(one.content);
      if (path !== undefined) one.path ??= path;
    }
    await insertTransaction(tx, {
      actor: caller.id ?? '',
      clientAddress: tx.origin.clientAddress,
      description: describeSteps(this.#kinds, steps, undoes),
      steps,
      more,
      undoes,
      changes,
      isDated,
      types: site ? versions.keptTypes(site) : [],
      entries: [
        ...(undoes.length > 0 ? [undoEntry(undoes)] : []),
        ...entries,
        ...(moreEntries > 0 ? [moreEntry(moreEntries)] : []),
      ],
    });
    this.#written.add(tx.origin);
    tx.afterCommit(this.#afterRecord);
  }
}

/** The records in the order of their steps. */
const inOrder = <T extends { order: number }>(recorded: readonly T[]): T[] =>
  recorded.toSorted((one, other) => one.order - other.order);

/** The former paths of content that is finally deleted, by numbers; they are stored nowhere else. */
const pathsOfDeleted = (entries: readonly audit.Entry[]): Map<number | null, string | undefined> =>
  new Map(entries.flatMap(({ action, content, path }) => (action === audit.REMOVED ? [[content, path]] : [])));

/** Adds the entry of a step. Edits of one object become one entry. */
function recordEntry(part: Part, step: Numbered<journal.Step>, described: audit.Entry): void {
  const entry = { ...described, order: step.order };
  const edit = step.action === 'edited' ? part.edits.get(step.content) : undefined;
  if (edit && step.action === 'edited') {
    const known = Array.isArray(edit.data.names) ? edit.data.names : [];
    edit.data = { ...edit.data, names: audit.namesOf([...new Set([...known, ...step.data.fields])]) };
    return;
  }
  if (part.entries.length >= MAX_ENTRIES) {
    part.moreEntries += 1;
    return;
  }
  part.entries.push(entry);
  if (step.action === 'edited') part.edits.set(step.content, entry);
}

/** The recorder of a kernel. */
export const RECORDER = new Slot<Recorder>('recorder of transactions');
