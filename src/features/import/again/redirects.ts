import type { ExportedRedirect } from '@canopy-server/site-reader';
import { redirectRows, type Transaction } from '#core';
import { chunks } from '#lib/chunks';
import { addRedirects, REDIRECT, redirectBase, targetsOf, usableRedirects } from '../import-redirects.ts';
import { type PresentRedirect, redirectsAt } from '../statements/again.ts';
import { basesLike, loadBases, type PackedBase, removeBases, writeBases } from '../statements/bases.ts';
import { cleanTexts } from '../storable-text.ts';
import type { AgainRun } from './again-job.ts';
import { unpack } from './imported-state.ts';

/** Redirects that are compared at once. */
const CHUNK_SIZE = 500;

const addressOf = ({ uid }: PackedBase): string => uid.slice(REDIRECT.length);

/** Says if a redirect of the site is the one that a base tells of. */
function isSame(row: PresentRedirect | undefined, { object, state }: PackedBase): boolean {
  if (!row) return false;
  return row.uid === null ? row.targetUrl === unpack(state) : row.uid === object;
}

const targetOf = (row: PresentRedirect | undefined): unknown => row && (row.target ?? row.targetUrl);

/** Brings the old addresses up to date: new ones, those with other targets, and those that the old site has no more. */
export async function importRedirectsAgain(run: AgainRun): Promise<void> {
  if (!(await run.source.parts()).has('redirects')) return;
  const seen = new Set<string>();
  for await (const chunk of chunks(run.source.redirects(), CHUNK_SIZE)) {
    const redirects = usableRedirects(
      run,
      chunk.map((redirect) => cleanTexts(redirect)),
    );
    for (const { from } of redirects) seen.add(from);
    await compareChunk(run, redirects);
  }
  await removeMissing(run, seen);
}

/** A redirect of the export with what it was, and with what the site has. */
type Compared = {
  redirect: ExportedRedirect;
  base: PackedBase | undefined;
  row: PresentRedirect | undefined;
  next: PackedBase;
};

async function compareChunk(run: AgainRun, redirects: readonly ExportedRedirect[]): Promise<void> {
  const keys = redirects.map((redirect) => redirectBase(run, redirect));
  const uids = keys.map(({ uid }) => uid);
  const bases = new Map((await loadBases(run.scope.db, run.key, uids)).map((base) => [base.uid, base]));
  const addresses = redirects.map(({ from }) => from);
  const rows = new Map((await redirectsAt(run.scope.db, addresses)).map((row) => [row.path, row]));
  const compared = redirects.flatMap((redirect, index): Compared[] => {
    const next = keys[index];
    return next ? [{ redirect, next, base: bases.get(next.uid), row: rows.get(redirect.from) }] : [];
  });
  // Moves have left old addresses here as they did there.
  const isNew = ({ base, row, next }: Compared) => !base && !isSame(row, next);
  await addRedirects(
    run,
    compared.filter(isNew).map(({ redirect }) => redirect),
  );
  // A target that the export lacks says nothing about the object that is known from an earlier one.
  const changed = compared.filter(
    ({ base, next }) => base && (base.state !== next.state || ![base.object, ''].includes(next.object)),
  );
  for (const one of changed) await changeTarget(run, one);
  run.summary.redirects.skipped += compared.filter((one) => !isNew(one)).length;
}

async function changeTarget(run: AgainRun, { redirect, base, row, next }: Compared): Promise<void> {
  const path = redirect.from;
  const isEqual = isSame(row, next);
  const isContested = !isEqual && base !== undefined && !isSame(row, base);
  if (isContested) {
    const conflict = { path, uid: '', part: 'redirect', here: targetOf(row), there: redirect.to };
    const side = run.again.differences.conflict(conflict);
    if (run.again.rule === 'stop') return;
    if (side === 'here') return run.scope.write((tx) => writeBases(tx, run.key, [next]));
  }
  await run.scope.write(async (tx) => {
    if (!isEqual) await replaceRedirect(tx, run, redirect);
    await writeBases(tx, run.key, [next]);
  });
  if (!isEqual) run.again.differences.change({ change: 'changed', path, parts: ['redirect'] });
}

async function replaceRedirect(tx: Transaction, run: AgainRun, redirect: ExportedRedirect): Promise<void> {
  await redirectRows.removeRedirects(tx, [redirect.from], null);
  await redirectRows.insertRedirects(tx, await targetsOf(tx, run, [redirect]), { unused: true });
}

/** Removes the redirects that the old site has no more, unless they lead elsewhere here. */
async function removeMissing(run: AgainRun, seen: ReadonlySet<string>): Promise<void> {
  const { scope, key, again } = run;
  for (let after = ''; ; ) {
    const page = await basesLike(scope.db, key, { start: REDIRECT, after, limit: CHUNK_SIZE });
    after = page.at(-1)?.uid ?? after;
    const missing = page.filter((base) => !seen.has(addressOf(base)));
    const rows = new Map((await redirectsAt(scope.db, missing.map(addressOf))).map((row) => [row.path, row]));
    for (const base of missing) {
      const path = addressOf(base);
      const row = rows.get(path);
      const isContested = row !== undefined && !isSame(row, base);
      const conflict = { path, uid: '', part: 'redirect', here: targetOf(row), there: 'removed' };
      const side = isContested ? again.differences.conflict(conflict) : 'there';
      if (isContested && again.rule === 'stop') continue;
      await scope.write(async (tx) => {
        if (row && side === 'there') await redirectRows.removeRedirects(tx, [path], null);
        await removeBases(tx, key, [base.uid]);
      });
      if (row && side === 'there') again.differences.change({ change: 'removed', path, parts: ['redirect'] });
    }
    if (page.length < CHUNK_SIZE) return;
  }
}
