import { createWithin } from '../../content/create-content.ts';
import { locateForWrite } from '../../content/locate.ts';
import { requirePermission } from '../../content/permissions.ts';
import { ROOT } from '../../content/tree-path.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Addon, AddonParts, InstalledAddon, SettingTrace } from '../../site/addon.ts';
import type { Kernel } from '../../site/kernel.ts';
import { KINDS, type Site } from '../../site/site.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  type ConfigurationRow,
  configurationVersion,
  lockConfiguration,
  writeConfiguration,
} from '../../storage/statements/configuration.ts';
import { applySettings } from './addon-settings.ts';
import { readAddons } from './available-addons.ts';

/** What a change of the add-ons of the site works with. */
export type AddonChange = {
  kernel: Kernel;
  tx: Transaction;
  caller: Caller;
  /** The site as it is before the change. */
  site: Site;
  id: string;
  /** As its folder has it; undefined when there is none any more. */
  addon: Addon | undefined;
  /** What the site has of it. */
  installed: InstalledAddon | undefined;
};

/** Where what an add-on brings stands among the rest: behind what the profile brought. */
export const ADDON_POSITION = 1000;

/** The address of an add-on, for errors. */
export const addonPath = (id: string): string => `/@addons/${id}`;

/**
 * Runs a change of an add-on in one transaction, while nobody else changes content or configuration: no content can be
 * made of a type that is just going. Throws NotFound when neither the program nor the site knows the add-on.
 */
export async function changeAddon(
  kernel: Kernel,
  { caller, id }: { caller: Caller; id: string },
  work: (change: AddonChange) => Promise<void>,
): Promise<void> {
  const addon = readAddons(kernel).get(id);
  await kernel.db.transaction(async (tx) => {
    const { resolved } = await locateForWrite(kernel, ROOT, tx, 'change');
    const site = await kernel.sites.at(await lockConfiguration(tx), tx);
    if (!resolved) throw new Error('The site has no root');
    requirePermission(site, caller, resolved, MANAGE_PORTAL);
    const installed = site.addons.get(id);
    if (!addon && !installed) throw new NotFound(addonPath(id));
    await work({ kernel, tx, caller, site, id, addon, installed });
  });
}

/** What the site has of the add-on. Throws BadRequest when it is not installed. */
export function requireInstalled({ id, installed }: AddonChange): InstalledAddon {
  if (!installed) throw new BadRequest(`The add-on "${id}" is not installed.`);
  return installed;
}

/** The folder of the add-on. Throws BadRequest when it is gone. */
export function requireFolder({ id, addon }: AddonChange): Addon {
  if (!addon) throw new BadRequest(`The files of the add-on "${id}" are gone. It can only be uninstalled.`);
  return addon;
}

/** The site as the transaction has left it. */
export const siteWithin = async ({ kernel, tx }: Pick<AddonChange, 'kernel' | 'tx'>): Promise<Site> =>
  kernel.sites.at(await configurationVersion(tx), tx);

/** What the site remembers of an add-on. */
export const addonRow = (id: string, data: InstalledAddon): ConfigurationRow => ({
  kind: KINDS.addon,
  id,
  position: 0,
  data,
});

/** Makes content of an add-on; each entry is a body of POST, with the path of its `container`. */
async function createAll({ kernel, tx, caller }: AddonChange, entries: readonly JsonObject[]): Promise<void> {
  for (const { container = ROOT, ...input } of entries) {
    if (typeof container !== 'string') throw new BadRequest('The container of content must be a path.');
    await createWithin(kernel, tx, { caller, container, input, bases: [] });
  }
}

/** Applies settings and content of an add-on to the site as it is now. Answers what became of the settings. */
export async function applyParts(change: AddonChange, parts: AddonParts): Promise<SettingTrace[]> {
  const { rows, traces } = applySettings(change.kernel, await siteWithin(change), parts.settings);
  if (rows.length > 0) await writeConfiguration(change.tx, rows);
  await createAll(change, parts.content);
  return traces;
}
