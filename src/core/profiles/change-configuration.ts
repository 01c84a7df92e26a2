import type { Transaction } from '../../database/database.ts';
import { rehearse } from '../../database/rehearse.ts';
import type { Site } from '../configuration/site/site.ts';
import { lockConfiguration } from '../configuration/statements/configuration.ts';
import { locateForWrite } from '../content/locate.ts';
import { requirePermission } from '../content/permissions.ts';
import { ROOT } from '../content/tree-path.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { MANAGE_PORTAL } from '../security/permissions.ts';
import type { ResolvedNode } from '../types/content-row.ts';

/** The state that a change of the configuration begins with. */
export type ConfigurationChange = {
  kernel: Kernel;
  tx: Transaction;
  caller: Caller;
  /** The site as it is before the change. */
  site: Site;
  root: ResolvedNode;
};

/**
 * Runs a change of the configuration in one transaction that excludes other changes of content and configuration, so that no content of a removed
 * type is created, and no other change is lost. `lock` takes further locks before all others. A `dryRun` is rolled back. Throws Unauthorized and
 * Forbidden for callers who may not manage the site, unless `isProgram` says that the program changes it.
 */
export const changeConfiguration = <T>(
  kernel: Kernel,
  {
    caller,
    lock,
    dryRun = false,
    isProgram = false,
  }: { caller: Caller; lock?: (tx: Transaction) => Promise<void>; dryRun?: boolean; isProgram?: boolean },
  work: (change: ConfigurationChange) => Promise<T>,
): Promise<T> =>
  rehearse(
    kernel.db,
    async (tx) => {
      await lock?.(tx);
      const { resolved: root } = await locateForWrite(kernel, ROOT, tx, 'change');
      if (!root) throw new Error('The site has no root');
      const site = await kernel.sites.at(await lockConfiguration(tx), tx);
      if (!isProgram) requirePermission(site, caller, root, MANAGE_PORTAL);
      return work({ kernel, tx, caller, site, root });
    },
    () => !dryRun,
  );
