import { isDeepStrictEqual } from 'node:util';
import { type Caller, configuration, type Kernel, profileTables } from '#core';
import { type AddonChange, addonRow, reportChange, requireInstalled } from './addon-change.ts';
import { requireUnused } from './addon-checks.ts';
import { requireConsistent, undoSettings, withoutAddon } from './addon-settings.ts';
import { cleanRemains, findRemains, remainLines } from './remains.ts';

/**
 * Uninstalls an add-on, in one transaction: removes its types, behaviors, workflows, permissions and rules, and resets the settings that nobody has
 * changed since. Content stays. With `clean` the tables, scheduled jobs and settings of its feature go as well, also for an add-on that is
 * uninstalled already. A `dryRun` is rolled back. Returns a report with a line for each thing that is removed or stays. Throws NotFound,
 * ValidationFailed, and BadRequest while there is content of its types, or another type needs its behaviors or workflows.
 */
export const uninstallAddon = (
  kernel: Kernel,
  request: { caller: Caller; id: string },
  { clean = false, dryRun = false }: { clean?: boolean; dryRun?: boolean } = {},
): Promise<string[]> =>
  reportChange(kernel, request, {
    done: clean ? 'uninstalled and cleaned up' : 'uninstalled',
    dryRun,
    work: async (change) => {
      const lines = change.installed || !clean ? await uninstallWithin(change) : [];
      const remains = await findRemains(change);
      return [...lines, ...(clean ? await cleanRemains(change, remains) : remainLines(change, remains))];
    },
  });

async function uninstallWithin(change: AddonChange): Promise<string[]> {
  const { kernel, tx, site, id } = change;
  const { rows, settings } = requireInstalled(change);
  await change.addon?.hooks?.uninstalling?.({ kernel, tx, caller: change.caller });
  await requireUnused(tx, site, rows);
  const others = [...site.addons].flatMap(([other, data]) => {
    const next = withoutAddon(data.settings, settings);
    return other === id || isDeepStrictEqual(next, data.settings) ? [] : [addonRow(other, { ...data, settings: next })];
  });
  const own = rows.filter((row) => !profileTables.tableOf(kernel, row));
  await configuration.remove(tx, [...own, { kind: configuration.KINDS.addon, id }]);
  await configuration.write(tx, [...undoSettings(site, settings), ...others]);
  await profileTables.removeTableRows({ kernel, tx, site: await kernel.sites.within(tx) }, rows);
  requireConsistent(kernel, await kernel.sites.within(tx), settings);
  return [`The add-on "${id}" is uninstalled.`];
}
