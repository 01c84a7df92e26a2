import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { KINDS } from '../../site/site.ts';
import { writeConfiguration } from '../../storage/statements/configuration.ts';
import { removeConfiguration } from '../../storage/statements/configuration-hold.ts';
import { addonRow, changeAddon, requireInstalled, siteWithin } from './addon-change.ts';
import { requireUnused } from './addon-checks.ts';
import { requireConsistent, undoSettings, without } from './addon-settings.ts';

/**
 * Takes back what an add-on brought, in one transaction: its types, behaviors, workflows and permissions, and the values
 * of settings that nobody has changed since. Content stays. Throws NotFound, ValidationFailed, and BadRequest while there is
 * content of its types or another type needs it.
 */
export async function uninstallAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, site, id } = change;
    const { rows, settings } = requireInstalled(change);
    await requireUnused(tx, site, rows);
    const others = [...site.addons].flatMap(([other, data]) => {
      const next = without(data.settings, settings);
      return other === id || isDeepStrictEqual(next, data.settings)
        ? []
        : [addonRow(other, { ...data, settings: next })];
    });
    await removeConfiguration(tx, [...rows, { kind: KINDS.addon, id }]);
    await writeConfiguration(tx, [...undoSettings(site, settings), ...others]);
    requireConsistent(kernel, await siteWithin(change), settings);
  });
}
