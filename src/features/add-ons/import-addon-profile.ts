import { NotFound } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { writeConfiguration } from '../../storage/statements/configuration.ts';
import { addonPath, addonRow, applyParts, changeAddon, requireFolder, requireInstalled } from './addon-change.ts';

/**
 * Applies the settings and content of a further profile of an add-on that is installed, in one transaction. Uninstalling
 * the add-on takes the settings back. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function importAddonProfile(
  kernel: Kernel,
  { profile, ...request }: { caller: Caller; id: string; profile: string },
): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, id } = change;
    const installed = requireInstalled(change);
    const parts = requireFolder(change).profiles.get(profile);
    if (!parts) throw new NotFound(`${addonPath(id)}/import/${profile}`);
    const traces = (await applyParts(change, parts)).map((trace) => ({ ...trace, profile }));
    await writeConfiguration(tx, [addonRow(id, { ...installed, settings: [...installed.settings, ...traces] })]);
  });
}
