import { locate } from '../../content/locate.ts';
import { ROOT } from '../../content/tree-path.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { Transaction } from '../../storage/database.ts';
import { lockPeople } from './statements/people-lock.ts';
import { hasManager } from './statements/people-managers.ts';

/** What a change of accounts or groups works with. `root` is where its permissions are decided. */
export type PeopleChange = { tx: Transaction; site: Site; root: ResolvedNode };

/** The site and its root, where the permissions over people are decided. */
async function locateRoot(kernel: Kernel): Promise<{ site: Site; root: ResolvedNode }> {
  const { site, resolved } = await locate(kernel, ROOT);
  if (!resolved) throw new Error('The site has no root');
  return { site, root: resolved };
}

/**
 * Runs a change of accounts or groups in one transaction, one after the other. Throws BadRequest, and nothing of the
 * change remains, when it would leave the site without anybody who can log in as a Manager.
 */
export async function changePeople<T>(kernel: Kernel, work: (change: PeopleChange) => Promise<T>): Promise<T> {
  const { site, root } = await locateRoot(kernel);
  return kernel.db.transaction(async (tx) => {
    await lockPeople(tx);
    const before = await hasManager(tx);
    const result = await work({ tx, site, root });
    if (before && !(await hasManager(tx))) throw new BadRequest('The site must keep a Manager: this is the last one.');
    return result;
  });
}
