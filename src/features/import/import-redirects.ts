import type { ExportedRedirect } from '@canopy-server/site-reader';
import { contentPath, type Queryable, redirectRows } from '#core';
import { chunks } from '#lib/chunks';
import { pack } from './again/imported-state.ts';
import type { ImportRun } from './import-run.ts';
import { type PackedBase, writeBases } from './statements/bases.ts';
import { presentPaths } from './statements/content.ts';
import { importedKeys, rememberImported } from './statements/progress.ts';
import { cleanTexts } from './storable-text.ts';

/** Redirects written in one transaction. */
const CHUNK_SIZE = 500;

/** Begins the keys of redirects. */
export const REDIRECT = '#redirect:';

const keyOf = (path: string) => `${REDIRECT}${path}`;

/**
 * Adds the old addresses of the export: to an object where the target is one of the site, else to the address as it is.
 */
export async function importRedirects(run: ImportRun): Promise<void> {
  for await (const chunk of chunks(run.source.redirects(), CHUNK_SIZE)) {
    const redirects = usableRedirects(
      run,
      chunk.map((redirect) => cleanTexts(redirect)),
    );
    const done = await importedKeys(
      run.scope.db,
      run.key,
      redirects.map(({ from }) => keyOf(from)),
    );
    const open = redirects.filter(({ from }) => !done.has(keyOf(from)));
    run.summary.redirects.skipped += redirects.length - open.length;
    await addRedirects(run, open);
  }
}

/** The base of a redirect: its target in the export, and the UID of that here. */
export const redirectBase = ({ plan }: ImportRun, { from, to }: ExportedRedirect): PackedBase => ({
  ...{ uid: keyOf(from), object: plan.byPath.get(to)?.uid ?? '', parent: '', name: '' },
  state: pack(to),
});

/** Adds redirects whose addresses are free; others are reported. */
export async function addRedirects(run: ImportRun, redirects: readonly ExportedRedirect[]): Promise<void> {
  if (redirects.length === 0) return;
  const added = await run.scope.write(async (tx) => {
    const inserted = await redirectRows.insertRedirects(tx, await targetsOf(tx, run, redirects), { unused: true });
    await rememberImported(
      tx,
      run.key,
      [...inserted].map((path) => ({ uid: keyOf(path), content: null })),
    );
    const bases = redirects.filter(({ from }) => inserted.has(from)).map((redirect) => redirectBase(run, redirect));
    await writeBases(tx, run.key, bases);
    return inserted;
  });
  run.summary.redirects.created += added.size;
  for (const { from } of redirects) {
    if (added.has(from)) continue;
    run.summary.redirects.skipped += 1;
    run.report.add({
      reason: 'kept',
      path: from,
      key: 'redirects',
      message: 'The redirect is left out: its address is in use on the site.',
    });
  }
}

/** Returns the redirects of an export that can be; the others are reported. */
export function usableRedirects({ report, summary }: ImportRun, redirects: ExportedRedirect[]): ExportedRedirect[] {
  return redirects.filter(({ from, to }) => {
    const fits = Buffer.byteLength(from) <= contentPath.MAX_BYTES;
    if (!fits || from === to) {
      summary.redirects.failed += 1;
      report.add({
        reason: 'value',
        path: from.slice(0, 300),
        key: 'redirects',
        message: 'The redirect is left out: its address is too long, or its own target.',
      });
    }
    return fits && from !== to;
  });
}

/** Returns the redirects with their targets on this site. */
export async function targetsOf(
  tx: Queryable,
  { plan, report }: ImportRun,
  redirects: readonly ExportedRedirect[],
): Promise<redirectRows.NewRedirect[]> {
  const paths = new Map<string, string>();
  for (const { to } of redirects) if (to.startsWith('/')) paths.set(to, plan.byPath.get(to)?.path ?? to);
  const oids = new Map((await presentPaths(tx, [...paths.values()])).map(({ path, oid }) => [path, oid]));
  const created = new Date();
  return redirects.map(({ from, to }) => {
    const target = oids.get(paths.get(to) ?? '') ?? null;
    if (target === null && to.startsWith('/'))
      report.add({
        reason: 'link',
        path: from,
        key: 'redirects',
        message: `The redirect leads to ${to.slice(0, 300)}, where nothing is. It is kept.`,
      });
    return { path: from, target, targetUrl: target === null ? to : null, manual: true, created };
  });
}
