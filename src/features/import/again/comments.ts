import type { ExportedComment } from '@canopy-server/site-reader';
import { chunks } from '#lib/chunks';
import { deleteComment, updateComment } from '../../comments/statements/comments.ts';
import { COMMENT, commentBase, importComments, keyOf, storedBody } from '../import-comments.ts';
import { type PresentComment, presentComments } from '../statements/again.ts';
import { basesLike, loadBases, type PackedBase, removeBases, writeBases } from '../statements/bases.ts';
import { forgetImported } from '../statements/progress.ts';
import { cleanTexts } from '../storable-text.ts';
import type { AgainRun } from './again-job.ts';
import { unpack } from './imported-state.ts';

/** Comments that are compared at once. */
const CHUNK_SIZE = 500;

/** The text of a comment that has been cleaned before is not reported once more. */
const SILENT = { add: () => {} };

/** Brings comments up to date: new ones, those with another text, and those that the old site has no more. */
export async function importCommentsAgain(run: AgainRun): Promise<void> {
  if (!(await run.source.parts()).has('comments')) return;
  await importComments(run);
  const seen = new Set<string>();
  for await (const chunk of chunks(run.source.comments(), CHUNK_SIZE)) {
    const comments = chunk.map((comment) => cleanTexts(comment));
    for (const comment of comments) seen.add(keyOf(comment));
    await compareChunk(run, comments);
  }
  await removeMissing(run, seen);
}

const pathOf = ({ plan }: AgainRun, uid: string): string => plan.byUid.get(uid)?.path ?? uid;

async function presentById(run: AgainRun, bases: readonly PackedBase[]): Promise<Map<string, PresentComment>> {
  const ids = bases.map(({ object }) => object);
  return new Map((await presentComments(run.scope.db, ids)).map((row) => [row.id, row]));
}

async function compareChunk(run: AgainRun, comments: readonly ExportedComment[]): Promise<void> {
  const found = await loadBases(run.scope.db, run.key, comments.map(keyOf));
  const bases = new Map(found.map((base) => [base.uid, base]));
  const changed = comments.flatMap((comment) => {
    const base = bases.get(keyOf(comment));
    if (!base) return [];
    const next = commentBase(comment, { id: base.object, body: storedBody(comment, SILENT) });
    return next.state === base.state ? [] : [{ comment, base, next }];
  });
  const present = await presentById(
    run,
    changed.map(({ base }) => base),
  );
  for (const one of changed) await changeText(run, { ...one, row: present.get(one.base.object) });
}

async function changeText(
  run: AgainRun,
  {
    comment,
    base,
    next,
    row,
  }: { comment: ExportedComment; base: PackedBase; next: PackedBase; row: PresentComment | undefined },
): Promise<void> {
  const path = pathOf(run, comment.contentUid);
  const body = String(unpack(next.state));
  const isContested = row?.body !== body && row?.body !== unpack(base.state);
  const conflict = {
    path,
    uid: comment.contentUid,
    part: `comment ${base.object}`,
    here: row?.body ?? 'removed',
    there: body,
  };
  const side = isContested ? run.again.differences.conflict(conflict) : 'there';
  if (isContested && run.again.rule === 'stop') return;
  // A comment that was removed here stays so, whatever counts: its replies went with it.
  const isTaken = row !== undefined && side === 'there' && row.body !== body;
  await run.scope.write(async (tx) => {
    if (isTaken) await updateComment(tx, { id: base.object, body });
    await writeBases(tx, run.key, [next]);
  });
  if (isTaken) run.again.differences.change({ change: 'changed', path, parts: [`comment ${base.object}`] });
}

/** A comment that the old site has no more. */
type Missing = { base: PackedBase; row: PresentComment | undefined };

async function missingComments(run: AgainRun, seen: ReadonlySet<string>): Promise<PackedBase[]> {
  const missing: PackedBase[] = [];
  for (let after = ''; ; ) {
    const page = await basesLike(run.scope.db, run.key, { start: COMMENT, after, limit: CHUNK_SIZE });
    after = page.at(-1)?.uid ?? after;
    missing.push(...page.filter(({ uid }) => !seen.has(uid)));
    if (page.length < CHUNK_SIZE) return missing;
  }
}

const isUnchanged = ({ base, row }: Missing): boolean =>
  row === undefined || (!row.hasReplies && row.body === unpack(base.state));

/** The UID in the export of the object that a comment is on. */
const contentOf = ({ uid }: PackedBase): string => uid.slice(COMMENT.length).split('/')[0] ?? '';

/** Says if an export has the object that a comment is on. Containers that stand for those it lacks have no type. */
const isCovered = ({ plan }: AgainRun, base: PackedBase): boolean =>
  (plan.byUid.get(contentOf(base))?.exported.type ?? '') !== '';

/**
 * Removes the comments that the old site has no more, replies before what they answer, unless they were changed or answered here. Those
 * on objects that the export does not have stay or go with these.
 */
async function removeMissing(run: AgainRun, seen: ReadonlySet<string>): Promise<void> {
  let left = await missingComments(run, seen);
  for (;;) {
    const rows = await presentById(run, left);
    const missing = left
      .map((base): Missing => ({ base, row: rows.get(base.object) }))
      .filter(({ base, row }) => row === undefined || isCovered(run, base));
    const unchanged = missing.filter(isUnchanged);
    if (unchanged.length === 0) return settleMissing(run, missing);
    for (const one of unchanged) await removeOne(run, one);
    left = missing.filter((one) => !isUnchanged(one)).map(({ base }) => base);
  }
}

const placeOf = (run: AgainRun, base: PackedBase): { path: string; uid: string } => {
  const uid = contentOf(base);
  return { path: pathOf(run, uid), uid };
};

async function removeOne(run: AgainRun, { base, row }: Missing): Promise<void> {
  await run.scope.write(async (tx) => {
    if (row) await deleteComment(tx, base.object);
    await removeBases(tx, run.key, [base.uid]);
    // The old site may bring it back.
    await forgetImported(tx, run.key, base.uid);
  });
  const { path } = placeOf(run, base);
  if (row) run.again.differences.change({ change: 'removed', path, parts: [`comment ${base.object}`] });
}

/** Decides what becomes of comments that were changed or answered here. */
async function settleMissing(run: AgainRun, missing: readonly Missing[]): Promise<void> {
  for (const one of missing) {
    const { base, row } = one;
    const here = row?.hasReplies ? 'answered here' : row?.body;
    const conflict = { ...placeOf(run, base), part: `comment ${base.object}`, here, there: 'removed' };
    if (run.again.differences.conflict(conflict) === 'there') await removeOne(run, one);
    else if (run.again.rule === 'keep') await run.scope.write((tx) => removeBases(tx, run.key, [base.uid]));
  }
}
