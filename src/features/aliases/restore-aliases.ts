import {
  type Caller,
  contentRows,
  has,
  type journal,
  type Kernel,
  locateForWrite,
  redirectRows,
  reject,
  type Transaction,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { insertFree, MANAGE_CONTEXT_ALIASES, MANAGE_PORTAL_ALIASES } from './add.ts';

type Redirect = redirectRows.NewRedirect;

/** Addresses of a change that was recorded: `path` is the content whose addresses they are, or the root for those of the whole site. */
export type RecordedAliases = {
  change: 'added' | 'removed';
  path: string;
  redirects: readonly journal.StoredRedirect[];
};

const leadsTo = (one: Redirect, other: Redirect): boolean =>
  one.target === other.target && one.targetUrl === other.targetUrl;

/**
 * Throws Unauthorized or Forbidden for callers who may manage neither the addresses of the whole site nor those of each target, and BadRequest for
 * addresses whose target is gone. The targets stay until the transaction ends.
 */
async function requireTargets(
  kernel: Kernel,
  tx: Transaction,
  { caller, now, wanted }: { caller: Caller; now: string; wanted: readonly Redirect[] },
): Promise<void> {
  const { site, resolved: root } = await locateForWrite(kernel, '/', tx, 'add-inside');
  const managesAll = root !== undefined && has(site, caller, root, MANAGE_PORTAL_ALIASES);
  const refuse = () => reject(caller, `You may not undo this at ${now}.`);
  if (!managesAll && wanted.some(({ target }) => target === null)) refuse();
  const oids = [...new Set(wanted.flatMap(({ target }) => target ?? []))];
  const paths = await contentRows.pathsOf(tx, oids);
  for (const oid of oids) {
    const at = paths.get(oid);
    const { resolved } = at === undefined ? {} : await locateForWrite(kernel, at, tx, 'add-inside');
    if (resolved?.object.oid !== oid) {
      const gone = wanted.find(({ target }) => target === oid);
      throw new BadRequest(`The content that ${gone?.path} has led to does not exist any more.`);
    }
    if (managesAll) continue;
    if (!has(site, caller, resolved, VIEW) || !has(site, caller, resolved, MANAGE_CONTEXT_ALIASES)) refuse();
  }
}

/**
 * Undoes a recorded change of addresses that lead elsewhere. Throws BadRequest where one leads elsewhere since, is used by content, or has lost its
 * target; Unauthorized and Forbidden for callers who may not manage them.
 */
export async function restoreAliases(
  kernel: Kernel,
  tx: Transaction,
  { caller, change, path, redirects: recorded }: RecordedAliases & { caller: Caller },
): Promise<void> {
  const wanted = recorded.map(({ created, ...one }): Redirect => ({ ...one, created: new Date(created) }));
  const present = new Map(
    (
      await redirectRows.lockRedirects(
        tx,
        wanted.map((one) => one.path),
      )
    ).map((one) => [one.path, one]),
  );
  const other = wanted.find((one) => {
    const now = present.get(one.path);
    return now !== undefined && !leadsTo(now, one);
  });
  if (other) throw new BadRequest(`The address ${other.path} leads elsewhere since.`);
  // Those that are gone already, or back again, are as they were before.
  const changed = wanted.filter((one) => present.has(one.path) === (change === 'added'));
  await requireTargets(kernel, tx, { caller, now: path, wanted: changed });
  if (changed.length === 0) return;
  if (change === 'added')
    await redirectRows.removeRedirects(
      tx,
      changed.map((one) => one.path),
      null,
    );
  else {
    const [problem] = await insertFree(tx, changed);
    if (problem) throw new BadRequest(`The address ${problem[0]} is used by content since.`);
  }
  await kernel.events.emit(
    'site.aliases',
    { change: change === 'added' ? 'removed' : 'added', redirects: changed, path },
    { tx, caller },
  );
}
