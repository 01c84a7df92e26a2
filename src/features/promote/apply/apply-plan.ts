import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  access,
  type Caller,
  findContents,
  indexing,
  type Kernel,
  kernelWithin,
  locate,
  MANAGE_PORTAL,
  rehearse,
  requirePermission,
} from '#core';
import { ClientError, Conflict } from '#lib/errors';
import { applyPieces } from '../../setup/apply-pieces.ts';
import type { ConflictRule, PlanPiece } from '../forms/plan.ts';
import { type Outline, type ReadablePlan, wholeEntries } from '../forms/plan-entries.ts';
import { type ApplyReport, type ApplyRun, ofKind, type Refusal, takes, uidHere } from './apply-run.ts';
import { decidePlaces } from './decide.ts';
import { orderChildren } from './order.ts';
import { type Placing, placeObject, places } from './places.ts';
import { removeObjects } from './removals.ts';
import { changeObject } from './values.ts';

/** How a plan is applied, by whom, and where its files are. */
export type ApplyRequest = {
  plan: ReadablePlan;
  caller: Caller;
  rule: ConflictRule;
  /** True if everything is undone in the end; conflicts are listed. */
  dryRun?: boolean;
  /** True if conflicts are in the report instead of an error, also where they are to stop the plan: somebody else undoes it. */
  listsConflicts?: boolean;
  fileOf: ApplyRun['fileOf'];
  /** Gets how much is done of how much, before the work of each entry. An error stops the plan, of which nothing is done then. */
  onProgress?(done: number, total: number): void;
};

const depthOf = (path: string): number => path.split('/').length;

/** Containers of the plan before what is in them; the others in the order of the plan. */
const inOrderOfTree = (entries: readonly Placing[]): Placing[] =>
  entries
    .map((entry, at) => ({ entry, at, depth: depthOf(entry.path) }))
    .sort((a, b) => a.depth - b.depth || a.at - b.at)
    .map(({ entry }) => entry);

/** Says if an entry has values or settings. */
const hasValues = ({ change }: Outline): boolean => change === 'created' || change === 'changed';

/** Brings the objects of a plan to their places, of which a few are in memory at once. */
async function placeObjects(run: ApplyRun, { entries }: ReadablePlan): Promise<void> {
  const ordered = inOrderOfTree(entries.outlines.filter(places));
  const whole = wholeEntries(entries, ofKind(ordered, 'created'));
  for (const entry of ordered) {
    const created = entry.change === 'created' ? await whole.next() : undefined;
    await placeObject(run, entry, created?.done === false ? created.value : undefined);
  }
}

/** UIDs in a text. */
const UIDS = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** New objects that are in memory at once. */
const BATCH = 100;

/** Indexes the references of new objects anew: when some were made, those that they lead to were not there yet. */
async function indexReferences({ kernel, made }: ApplyRun): Promise<void> {
  const uids = [...made];
  for (let at = 0; uids.length > 1 && at < uids.length; at += BATCH) {
    await nextTurn();
    await kernel.db.transaction(async (tx) => {
      for (const resolved of await findContents(tx, { uids: uids.slice(at, at + BATCH) })) {
        const named = JSON.stringify(resolved.object.fields).match(UIDS) ?? [];
        if (!named.some((uid) => uid !== resolved.object.uid && made.has(uid))) continue;
        const site = await kernel.sites.within(tx);
        await indexing.replace(kernel, tx, site, { object: resolved.object, chain: access.chain(site, resolved) });
      }
    });
  }
}

/** The error for entries that are not possible: 403 where a right is missing, else 400. Nothing was done. */
function refusalOf(refusals: readonly Refusal[]): ClientError {
  const status = refusals.some((one) => one.status === 403 || one.status === 401) ? 403 : 400;
  const listed = refusals.slice(0, 50).map(({ path, change, message }) => `${path} (${change}): ${message}`);
  const more = refusals.length > 50 ? [`… and ${refusals.length - 50} more.`] : [];
  return new ClientError(
    status,
    status === 403 ? 'Forbidden' : 'BadRequest',
    ['Nothing was applied.', ...listed, ...more].join(' '),
  );
}

/** Applies pieces of the set-up at once, in whatever order they are. Their conflicts count like those of content. */
async function applySetup(run: ApplyRun, pieces: ReadablePlan['setup']): Promise<void> {
  if (pieces.length === 0) return;
  const { lines, kept } = await applyPieces(run.kernel, { pieces, takes: takes(run), caller: run.caller });
  const { setup } = run.report;
  run.report.setup = { lines: [...setup.lines, ...lines], kept: setup.kept + kept };
  run.site = (await locate(run.kernel, '/')).site;
}

/** Notes objects that could not leave after all, when another one had their address already. */
async function noteAside({ kernel, report, aside }: ApplyRun): Promise<void> {
  for (const { object } of await findContents(kernel.db, { uids: [...aside.keys()] }))
    report.notes.push(`${aside.get(object.uid)} is at ${object.path}: other content has its address.`);
}

/** Applies a plan, and reports what became of it. Entries that the site has already are counted, and nothing is done for them. */
async function applyAll(run: ApplyRun, plan: ReadablePlan): Promise<void> {
  const { entries } = plan;
  const { outlines } = entries;
  // Content needs what is new, and what goes is in use until the content is gone.
  const isNeeded = (piece: PlanPiece) => Object.hasOwn(piece, 'to');
  await applySetup(run, plan.setup.filter(isNeeded));
  await decidePlaces(run, outlines);
  await placeObjects(run, plan);
  await removeObjects(run, ofKind(outlines, 'removed'));
  await noteAside(run);
  for await (const entry of wholeEntries(entries, outlines.filter(hasValues)))
    if (entry.change === 'created' || entry.change === 'changed') await changeObject(run, entry);
  await indexReferences(run);
  for await (const entry of wholeEntries(entries, ofKind(outlines, 'ordered')))
    if (entry.change === 'ordered')
      await orderChildren(run, {
        ...entry,
        from: entry.from.map((uid) => uidHere(run, uid)),
        to: entry.to.map((uid) => uidHere(run, uid)),
      });
  await applySetup(
    run,
    plan.setup.filter((piece) => !isNeeded(piece)),
  );
}

/** Counts how often an entry is worked on, for the progress of a plan. */
const worksOn = (outline: Outline): number => (places(outline) ? 4 : outline.change === 'removed' ? 2 : 1);

/** Returns a function that counts what is done of a plan. */
function counting(
  { entries }: ReadablePlan,
  onProgress: NonNullable<ApplyRequest['onProgress']> = () => undefined,
): () => void {
  const total = entries.outlines.reduce((sum, outline) => sum + worksOn(outline), 0);
  let done = 0;
  return () => {
    onProgress(Math.min(done, total), total);
    done += 1;
  };
}

const newReport = (): ApplyReport => ({
  ...{ created: [], changed: [], moved: [], removed: [], ordered: [], same: 0, conflicts: [] },
  ...{ setup: { lines: [], kept: 0 }, notes: [] },
});

/**
 * Applies a plan in one transaction, as a merge with what the site has made of its content since: all of it, or nothing. Throws Conflict
 * with the conflicts when these are to stop it and are not listed, and 403 or 400 with everything that is not possible. A `dryRun` is rolled back.
 */
export async function applyPlan(
  kernel: Kernel,
  { plan, caller, rule, dryRun, listsConflicts = dryRun === true, fileOf, onProgress }: ApplyRequest,
): Promise<ApplyReport> {
  return rehearse(
    kernel.db,
    async (tx) => {
      const inner = kernelWithin(kernel, tx);
      const { site, resolved: root } = await locate(inner, '/');
      if (!root) throw new Error('The site has no root');
      // Before the set-up is locked.
      if (plan.setup.length > 0) requirePermission(site, caller, root, MANAGE_PORTAL);
      const run: ApplyRun = {
        ...{ kernel: inner, site, caller, rule, root: root.object.uid, fileOf, report: newReport(), refusals: [] },
        ...{ leaving: new Set(), staying: new Set(), present: new Set(), aside: new Map() },
        ...{ made: new Set(), placed: new Set(), onEntry: counting(plan, onProgress) },
      };
      await applyAll(run, plan);
      const { report, refusals } = run;
      if (refusals.length > 0) throw refusalOf(refusals);
      const open = report.conflicts.length + (takes(run) ? 0 : report.setup.kept);
      if (rule === 'stop' && open > 0 && !listsConflicts)
        throw new Conflict(
          'The site has changed the same as the plan. Nothing was applied. Choose with "conflicts" which side counts, or make the plan anew.',
          {},
          { conflicts: report.conflicts, setup: report.setup.lines },
        );
      return report;
    },
    () => dryRun !== true,
  );
}
