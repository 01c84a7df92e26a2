import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, configuration, type Feature, KERNEL_FEATURES, type Kernel, profileFiles } from '#core';
import { folderPath, packageFolder } from '#lib/process/process';
import type { Addon, AddonRow } from './addon.ts';
import { AddonBroken, requireAddonFile } from './addon-files.ts';
import { loadAddon, namesIn } from './addon-folder.ts';

/** The add-on of a feature. */
type FeatureAddon = { feature: string; addon: Addon; autoInstall: boolean };

/** The additions of a feature to the configuration. */
type FeatureProfile = NonNullable<Feature['profile']>;

/** The rows of the objects in a profile, which are checked like files. */
function objectRows(name: string, { types = [], behaviors = [], workflows = [] }: FeatureProfile): AddonRow[] {
  const row = (noun: string, kind: string, data: { id: string }) => ({
    ...{ kind, id: data.id, data },
    file: `The ${noun} "${data.id}" of the feature "${name}"`,
  });
  const rows = [
    ...behaviors.map((data) => row('behavior', configuration.KINDS.behavior, data)),
    ...workflows.map((data) => row('workflow', configuration.KINDS.workflow, data)),
    ...types.map((data) => row('type', configuration.KINDS.type, data)),
  ];
  try {
    profileFiles.requireRows(rows);
  } catch (error) {
    if (error instanceof ConfigError) throw new AddonBroken(error.message);
    throw error;
  }
  return rows;
}

function addonOf(name: string, profile: FeatureProfile): Addon {
  const { folder, title, description, version } = profile;
  const fromFolder = folder === undefined ? undefined : loadAddon(folderPath(folder));
  if (fromFolder && fromFolder.id !== name)
    throw new AddonBroken(`The profile of the feature "${name}" has the id "${fromFolder.id}": they must be the same.`);
  const { rows = [], steps = [], settings = [], content = [], profiles = new Map() } = fromFolder ?? {};
  const metadata = requireAddonFile('metadata', `The profile of the feature "${name}"`, {
    id: name,
    title: title ?? fromFolder?.title ?? name,
    description: description ?? fromFolder?.description ?? '',
    version: version ?? fromFolder?.version ?? '1',
  });
  const pieces = [...rows, ...objectRows(name, profile)];
  return { ...metadata, rows: pieces, steps, settings, content, profiles, hooks: profile };
}

/** The add-ons of the features of a kernel. Throws AddonBroken for an add-on that cannot be used. */
export const featureAddons = ({ slots }: Pick<Kernel, 'slots'>): FeatureAddon[] =>
  slots
    .get(KERNEL_FEATURES)
    .flatMap(({ name, profile }) =>
      profile === undefined
        ? []
        : [{ feature: name, addon: addonOf(name, profile), autoInstall: profile.autoInstall === true }],
    );

/** The folders of add-ons of the program, then those in `ADDONS_DIR`. */
function addonFolders({ config }: Pick<Kernel, 'config'>): string[] {
  const parents = [packageFolder('addons'), ...(config.addonsDir === undefined ? [] : [config.addonsDir])];
  return parents
    .flatMap((parent) => namesIn(parent).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(folder, 'metadata.json')));
}

/**
 * The available add-ons by id: those in folders, then those of features. Of two add-ons with the same id the later one counts. A folder that cannot
 * be used is reported in the log and left out.
 */
export function loadAddons(kernel: Pick<Kernel, 'config' | 'log' | 'slots'>): Map<string, Addon> {
  const addons = new Map<string, Addon>();
  for (const folder of addonFolders(kernel)) {
    try {
      const addon = loadAddon(folder);
      addons.set(addon.id, addon);
    } catch (error) {
      if (!(error instanceof AddonBroken)) throw error;
      kernel.log.error({ err: error }, 'an add-on cannot be used');
    }
  }
  for (const { addon } of featureAddons(kernel)) addons.set(addon.id, addon);
  return addons;
}
