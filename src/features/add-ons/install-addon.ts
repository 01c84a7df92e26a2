import { BadRequest } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { writeConfiguration } from '../../storage/statements/configuration.ts';
import { ADDON_POSITION, addonRow, applyParts, changeAddon, requireFolder, siteWithin } from './addon-change.ts';
import { requireFree, requireWhole } from './addon-checks.ts';

/**
 * Installs an add-on, in one transaction: its types, behaviors, workflows and permissions, which must be new to the site,
 * its settings and its content, which the caller owns. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function installAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, site, id, installed } = change;
    if (installed) throw new BadRequest(`The add-on "${id}" is installed already.`);
    const { title, description, version, rows, ...parts } = requireFolder(change);
    requireFree(site, rows);
    await writeConfiguration(
      tx,
      rows.map((row) => ({ ...row, position: ADDON_POSITION })),
    );
    requireWhole(await siteWithin(change), rows);
    const settings = await applyParts(change, parts);
    await writeConfiguration(tx, [addonRow(id, { title, description, version, rows, settings })]);
  });
}
