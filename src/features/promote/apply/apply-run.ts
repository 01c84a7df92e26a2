import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Caller,
  findContents,
  has,
  type Kernel,
  kernelWithin,
  type ResolvedNode,
  type Site,
  type Transaction,
  VIEW,
} from '#core';
import { ClientError } from '#lib/errors';
import { ROOT_UID } from '../forms/object-form.ts';
import type { ConflictRule, PlanEntry } from '../forms/plan.ts';
import type { Outline } from '../forms/plan-entries.ts';

/** Something that the site has otherwise than the plan takes for granted. */
export type PlanConflict = {
  path: string;
  uid: string;
  /** The field or the setting, or `place`, `name`, `container`, `removal`, `order`. */
  part: string;
  block?: string;
  here?: unknown;
  there?: unknown;
  /** The reason, as a sentence for people. */
  message: string;
};

/** An entry that is not possible: the caller may not do it, or the site does not take it. */
export type Refusal = { path: string; change: string; status: number; message: string };

/** The outcome of a plan: paths by what became of them. */
export type ApplyReport = {
  created: string[];
  changed: string[];
  moved: { from: string; to: string }[];
  removed: string[];
  ordered: string[];
  /** How many entries the site had already as the plan wants them. */
  same: number;
  conflicts: PlanConflict[];
  /** Lines about the set-up, and how many of its values stay as the site has them. */
  setup: { lines: string[]; kept: number };
  /** Lines about parts that were left out, with the reason. */
  notes: string[];
};

/** Conflicts and refusals of a report. */
const MAX_LISTED = 1000;

/** A plan that is being applied, in one transaction. */
export type ApplyRun = {
  /** Its transactions are parts of the one of the plan. */
  kernel: Kernel;
  /** The site with its set-up, once that of the plan is applied. */
  site: Site;
  caller: Caller;
  rule: ConflictRule;
  /** UID of the root of this site. */
  root: string;
  /** The file of a hash, as it lies in the store of the site; undefined where nobody brought it. */
  fileOf(hash: string): Promise<{ hash: string; size: number } | undefined>;
  report: ApplyReport;
  refusals: Refusal[];
  /** UIDs of objects that the plan takes from their places here, unless they stay. */
  leaving: Set<string>;
  /** UIDs of objects that are neither created nor moved nor removed, for a conflict or a right that is missing. */
  staying: Set<string>;
  /** UIDs of what the plan removes, as far as the site had it before. */
  present: Set<string>;
  /** Paths of objects that have another name for the time being, by their UIDs. */
  aside: Map<string, string>;
  /** UIDs of what was created. */
  made: Set<string>;
  /** UIDs of what came to its place by the plan. */
  placed: Set<string>;
  /** Called before the work of each entry, several times for most; an error stops the plan. */
  onEntry(): void;
};

/** The UID of this site for one of a plan. */
export const uidHere = ({ root }: Pick<ApplyRun, 'root'>, uid: string): string => (uid === ROOT_UID ? root : uid);

/** Finds the object of a UID of the plan, as it is now. Content that the caller may not view counts as gone. */
export async function findHere(run: ApplyRun, uid: string): Promise<ResolvedNode | undefined> {
  const [found] = await findContents(run.kernel.db, { uids: [uidHere(run, uid)] });
  if (!found) return undefined;
  return has(run.site, run.caller, found, VIEW) ? found : undefined;
}

/** Reports a conflict. */
export function addConflict({ report }: ApplyRun, conflict: PlanConflict): void {
  if (report.conflicts.length < MAX_LISTED) report.conflicts.push(conflict);
}

/** The entries of one kind. */
export const ofKind = <Change extends PlanEntry['change']>(outlines: readonly Outline[], change: Change) =>
  outlines.filter((outline): outline is Extract<Outline, { change: Change }> => outline.change === change);

/** Says if the plan is to take an object from where it is now. */
export const leaves = ({ leaving, staying, placed }: ApplyRun, uid: string): boolean =>
  leaving.has(uid) && !staying.has(uid) && !placed.has(uid);

/** Says if the plan counts where both have changed the same. */
export const takes = ({ rule }: ApplyRun): boolean => rule === 'take';

/**
 * Does the work of one entry as a part of the transaction, with a run of this part. A client error undoes the part and becomes a refusal, so
 * that a caller learns of all that is not possible at once.
 */
export async function attempt(
  run: ApplyRun,
  { path, change }: { path: string; change: string },
  work: (part: ApplyRun, tx: Transaction) => Promise<void>,
): Promise<void> {
  // The embedded database responds in the same tick, so that a large plan would stop all requests of the process.
  await nextTurn();
  run.onEntry();
  try {
    await run.kernel.db.transaction((tx) => work({ ...run, kernel: kernelWithin(run.kernel, tx) }, tx));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { status, message } = error;
    if (run.refusals.length < MAX_LISTED) run.refusals.push({ path, change, status, message });
  }
}
