import { versionedTypes } from '../../content/versions.ts';
import { Slot } from '../../lib/slots.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Transaction, TransactionOrigin } from '../../storage/database.ts';
import { describeSteps } from './describe.ts';
import { addSteps, insertTransaction } from './statements/record.ts';
import type { Step } from './steps.ts';

/** Steps of one transaction that are kept. Who does more at once cannot undo it. */
const MAX_STEPS = 1000;

/** What is collected of a transaction. */
type Collected = {
  caller: Caller;
  site: Site | undefined;
  steps: Step[];
  undoes: number[];
  /** Steps beyond those that are kept. */
  more: number;
  /** Its number, once it is written, and how many of its steps are. */
  written: { id: number; steps: number } | undefined;
  isScheduled: boolean;
};

/** What is collected of one part of a transaction, which may yet be undone alone. */
type Part = Pick<Collected, 'steps' | 'more' | 'site'>;

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
    const part: Part = { steps: [], more: 0, site: undefined };
    this.#parts.set(tx, part);
    tx.beforeCommit(async () => {
      // What follows before the end, such as content rules, begins another part.
      this.#parts.delete(tx);
      const whole = this.#wholeOf(tx, caller);
      whole.site ??= part.site;
      const room = MAX_STEPS - whole.steps.length;
      whole.steps.push(...part.steps.slice(0, room));
      whole.more += part.more + Math.max(0, part.steps.length - room);
      this.#schedule(tx, whole);
    });
    return part;
  }

  #wholeOf({ origin }: Transaction, caller: Caller): Collected {
    const known = this.#whole.get(origin);
    if (known) return known;
    const whole: Collected = {
      ...{ caller, site: undefined, steps: [], undoes: [], more: 0 },
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
    const { caller, site, steps, undoes, more } = whole;
    if (steps.length === 0 && undoes.length === 0) return;
    const types = site ? versionedTypes(site) : [];
    placeDeleted(steps);
    if (whole.written) {
      const late = steps.slice(whole.written.steps);
      if (late.length > 0) await addSteps(tx, { id: whole.written.id, first: whole.written.steps, steps: late, types });
      whole.written.steps = steps.length;
      return;
    }
    const id = await insertTransaction(tx, {
      actor: caller.id ?? '',
      clientAddress: tx.origin.clientAddress,
      description: describeSteps(steps, undoes),
      steps,
      more,
      undoes,
      types,
    });
    tx.afterCommit(this.#afterRecord);
    whole.written = { id, steps: steps.length };
  }
}

/** Gives the steps of content that is deleted in the end its former path, which is not stored anywhere else. */
function placeDeleted(steps: readonly Step[]): void {
  const deleted = new Map(steps.flatMap((step) => (step.action === 'deleted' ? [[step.content, step.path]] : [])));
  for (const step of steps) {
    const path = deleted.get(step.content);
    if (path !== undefined) step.path ??= path;
  }
}

/** The recorder of a kernel. */
export const RECORDER = new Slot<Recorder>('recorder of transactions');
