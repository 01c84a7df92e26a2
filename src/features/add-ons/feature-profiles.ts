import { type Caller, ConfigError, type Kernel } from '#core';
import { ClientError } from '#lib/errors';
import { changeAddon } from './addon-change.ts';
import { AddonBroken } from './addon-files.ts';
import { installWithin, upgradeWithin } from './addon-lifecycle.ts';
import { featureAddons } from './available-addons.ts';

/**
 * Installs the profiles that features bring to each site (`autoInstall`), and upgrades profiles of an older version. Only one of several processes
 * that start at once does so. Throws ConfigError when a profile cannot be used on this site.
 */
export async function installProfiles(kernel: Kernel, caller: Caller): Promise<void> {
  try {
    const wanted = featureAddons(kernel).filter(({ autoInstall }) => autoInstall);
    if (wanted.length === 0) return;
    const { addons } = await kernel.sites.current();
    for (const { addon, feature } of wanted) {
      if (addons.get(addon.id)?.version === addon.version) continue;
      await bringUpToDate(kernel, caller, addon.id).catch((error: unknown) => {
        if (!(error instanceof ClientError)) throw error;
        throw new ConfigError(`The profile of the feature "${feature}" cannot be installed: ${error.message}`);
      });
    }
  } catch (error) {
    if (error instanceof AddonBroken) throw new ConfigError(error.message);
    throw error;
  }
}

const bringUpToDate = (kernel: Kernel, caller: Caller, id: string): Promise<void> =>
  changeAddon(kernel, { caller, id }, 'brought up to date', async (change) => {
    const { addon, installed } = change;
    if (!installed) await installWithin(change);
    else if (addon && BigInt(addon.version) > BigInt(installed.version)) {
      const report = (await upgradeWithin(change)).join('\n');
      kernel.log.info({ addon: id, report }, 'an add-on is upgraded');
    }
  });
