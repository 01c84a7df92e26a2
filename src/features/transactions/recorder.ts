import { versionedTypes } from '../../content/versions.ts';
import { Slot } from '../../lib/slots.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Transaction, TransactionOrigin } from '../../storage/database.ts';
import { type AuditEntry, auditNames } from '../audit-log/entry.ts';
import { insertEntries } from '../audit-log/statements/insert.ts';
import { auditEntryOf, moreEntry, REMOVED, undoEntry } from './audit-entries.ts';
import { describeSteps } from './describe.ts';
import { addSteps, insertTransaction } from './statements/record.ts';
import type { Step } from './steps.ts';

/** Steps of one transaction that are kept. Who does more at once cannot undo it. */
const MAX_STEPS = 1000;
/** Entries of the audit log that one transaction makes; of more it has the number. */
const MAX_ENTRIES = 50_000;

/** What is collected of a transaction. */
type Collected = {
  caller: Caller;
  site: Site | undefined;
  steps: Step[];
  undoes: number[];
  /** Steps beyond those that are kept. */
  more: number;
  /** What the audit log has of it, also of steps beyond. */
  entries: AuditEntry[];
  /** Entries beyond those that are kept. */
  moreEntries: number;
  /** How many of its steps and entries are written, once it is. */
  written: { steps: number; entries: number } | undefined;
  isScheduled: boolean;
};

/** What is collected of one part of a transaction, which may yet be undone alone. */
type Part = Pick<Collected, 'steps' | 'more' | 'site' | 'entries' | 'moreEntries'> & {
  /** The entries of edits by the numbers of their objects. */
  edits: Map<number | null, AuditEntry>;
};

/**
 * Records what transactions do: one statement at the end of each that has changed something. What a part of it has done counts
 * only when the part stands.
 */
export class Recorder {
  readonly #afterRecord: () => Promise<void>;
  readonly #parts = new WeakMap<Transaction, Part>();
  readonly #whole = new WeakMap<TransactionOrigin, Collected>();

  /** `afterRecord` runs after the commit of each transaction that was recorded. */
  constructor(afterRecord: () => Promise<void>) {
    this.#afterRecord = afterRecord;
  }

  /** Adds a step to what the transaction has done. Edits of one object become one step; `site` tells which types have versions. */
  record(tx: Transaction, caller: Caller, step: Step, site?: Site): void {
    const part = this.#partOf(tx, caller);
    part.site ??= site;
    recordEntry(part, step);
    if (step.action === 'edited') {
      const same = part.steps.find(({ action, content }) => action === 'edited' && content === step.content);
      if (same?.action === 'edited') {
        const fields = [...new Set([...same.data.fields, ...step.data.fields])];
        same.data = { fields, versions: same.data.versions + step.data.versions };
        return;
      }
    }
    if (part.steps.length < MAX_STEPS) part.steps.push(step);
    else part.more += 1;
  }

  /** Says that the transaction undoes others, which are locked: they are marked so. */
  undoing(tx: Transaction, caller: Caller, ids: readonly number[]): void {
    this.#partOf(tx, caller);
    const whole = this.#wholeOf(tx, caller);
    whole.undoes.push(...ids);
    this.#schedule(tx, whole);
  }

  #partOf(tx: Transaction, caller: Caller): Part {
    const known = this.#parts.get(tx);
    if (known) return known;
    const part: Part = { steps: [], more: 0, site: undefined, entries: [], moreEntries: 0, edits: new Map() };
    this.#parts.set(tx, part);
    tx.beforeCommit(async () => {
      // What follows before the end, such as content rules, begins another part.
      this.#parts.delete(tx);
      const whole = this.#wholeOf(tx, caller);
      whole.site ??= part.site;
      const room = MAX_STEPS - whole.steps.length;
      whole.steps.push(...part.steps.slice(0, room));
      whole.more += part.more + Math.max(0, part.steps.length - room);
      const space = MAX_ENTRIES - whole.entries.length;
      whole.entries.push(...part.entries.slice(0, space));
      whole.moreEntries += part.moreEntries + Math.max(0, part.entries.length - space);
      this.#schedule(tx, whole);
    });
    return part;
  }

  #wholeOf({ origin }: Transaction, caller: Caller): Collected {
    const known = this.#whole.get(origin);
    if (known) return known;
    const whole: Collected = {
      ...{ caller, site: undefined, steps: [], undoes: [], more: 0, entries: [], moreEntries: 0 },
      ...{ written: undefined, isScheduled: false },
    };
    this.#whole.set(origin, whole);
    return whole;
  }

  /** Writes at the very end, so that all parts are in one row. */
  #schedule(tx: Transaction, whole: Collected): void {
    if (whole.isScheduled) return;
    whole.isScheduled = true;
    tx.beforeCommit(async () => {
      whole.isScheduled = false;
      await this.#write(tx, whole);
    });
  }

  async #write(tx: Transaction, whole: Collected): Promise<void> {
    const { caller, site, steps, undoes, more, entries, moreEntries } = whole;
    if (steps.length === 0 && undoes.length === 0) return;
    const types = site ? versionedTypes(site) : [];
    const deleted = pathsOfDeleted(entries);
    for (const one of [...steps, ...entries]) {
      const path = deleted.get(one.content);
      if (path !== undefined) one.path ??= path;
    }
    const origin = { actor: caller.id ?? '', clientAddress: tx.origin.clientAddress };
    if (whole.written) {
      const late = steps.slice(whole.written.steps);
      if (late.length > 0) await addSteps(tx, { first: whole.written.steps, steps: late, types });
      const lateEntries = entries.slice(whole.written.entries);
      if (lateEntries.length > 0) await insertEntries(tx, origin, lateEntries);
      whole.written = { steps: steps.length, entries: entries.length };
      return;
    }
    await insertTransaction(tx, {
      ...origin,
      description: describeSteps(steps, undoes),
      steps,
      more,
      undoes,
      types,
      entries: [
        ...(undoes.length > 0 ? [undoEntry(undoes)] : []),
        ...entries,
        ...(moreEntries > 0 ? [moreEntry(moreEntries)] : []),
      ],
    });
    tx.afterCommit(this.#afterRecord);
    whole.written = { steps: steps.length, entries: entries.length };
  }
}

/** The former paths of content that is deleted in the end, by numbers: they are not stored anywhere else. */
const pathsOfDeleted = (entries: readonly AuditEntry[]): Map<number | null, string | undefined> =>
  new Map(entries.flatMap(({ action, content, path }) => (action === REMOVED ? [[content, path]] : [])));

/** Adds the entry of a step. Edits of one object become one entry. */
function recordEntry(part: Part, step: Step): void {
  const entry = auditEntryOf(step);
  const edit = step.action === 'edited' ? part.edits.get(step.content) : undefined;
  if (edit && step.action === 'edited') {
    const known = Array.isArray(edit.data.names) ? edit.data.names : [];
    edit.data = { names: auditNames([...new Set([...known, ...step.data.fields])]) };
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
