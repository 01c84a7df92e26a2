import { type Caller, configuration, contentPath, type Kernel, profiles, tree } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import type { Addon, AddonParts, InstalledAddon, SettingTrace } from './addon.ts';
import { applySettings } from './addon-settings.ts';
import { loadAddons } from './available-addons.ts';

/** The context of a change of one add-on. */
export type AddonChange = profiles.Change & {
  id: string;
  /** The add-on in its folder; undefined when that no longer exists. */
  addon: Addon | undefined;
  /** The stored row of the add-on; undefined when it is not installed. */
  installed: InstalledAddon | undefined;
};

/** The position of configuration from add-ons: after that of the profile. */
export const ADDON_POSITION = 1000;

/** The address of an add-on, for errors. */
export const addonPath = (id: string): string => `/@addons/${id}`;

/**
 * Runs a change of an add-on in one transaction that locks content and configuration, so that nobody creates content of a type that is being removed.
 * `done` names the change for events, such as `installed`. Throws NotFound when the add-on is neither available nor installed. A `dryRun` is rolled
 * back.
 */
export async function changeAddon<T>(
  kernel: Kernel,
  { caller, id }: { caller: Caller; id: string },
  done: string,
  work: (change: AddonChange) => Promise<T>,
  dryRun = false,
): Promise<T> {
  const addon = loadAddons(kernel).get(id);
  return profiles.changeConfiguration(kernel, { caller, dryRun }, async (change) => {
    const installed = change.site.addons.get(id);
    if (!addon && !installed) throw new NotFound(addonPath(id));
    const result = await work({ ...change, id, addon, installed });
    const { tx } = change;
    if (!dryRun) await kernel.events.emit('site.changed', { part: 'add-on', id, change: done }, { tx, caller });
    return result;
  });
}

/** Does the same as `changeAddon` for a change that returns a report with a line for each step. A `dryRun` is rolled back. */
export async function reportChange(
  kernel: Kernel,
  request: { caller: Caller; id: string },
  { done, dryRun, work }: { done: string; dryRun: boolean; work: (change: AddonChange) => Promise<string[]> },
): Promise<string[]> {
  const lines = await changeAddon(kernel, request, done, work, dryRun);
  return dryRun ? ['Dry run selected.', ...lines, 'Dry run: transaction aborted.'] : lines;
}

/** Returns the stored row of the add-on. Throws BadRequest when it is not installed. */
export function requireInstalled({ id, installed }: AddonChange): InstalledAddon {
  if (!installed) throw new BadRequest(`The add-on "${id}" is not installed.`);
  return installed;
}

/** The add-on as it is in its folder. Throws BadRequest when that no longer exists. */
export function requireAvailable({ id, addon }: AddonChange): Addon {
  if (!addon) throw new BadRequest(`The files of the add-on "${id}" are gone. It can only be uninstalled.`);
  return addon;
}

/** The row in which the site stores an installed add-on. */
export const addonRow = (id: string, data: InstalledAddon): configuration.Row => ({
  kind: configuration.KINDS.addon,
  id,
  position: 0,
  data,
});

/** Creates the content of an add-on; each entry is a body of POST with the path of its `container`. */
async function createAll({ kernel, tx, caller }: AddonChange, entries: readonly JsonObject[]): Promise<void> {
  for (const { container = contentPath.ROOT, ...input } of entries) {
    if (typeof container !== 'string') throw new BadRequest('The container of content must be a path.');
    await tree.create(kernel, { caller, container, input, bases: [] }, { tx });
  }
}

/** Applies the settings and content of an add-on to the site as it is now. Returns what uninstalling has to undo. */
export async function applyParts(change: AddonChange, parts: AddonParts): Promise<SettingTrace[]> {
  const { rows, traces } = applySettings(change.kernel, await change.kernel.sites.within(change.tx), parts.settings);
  if (rows.length > 0) await configuration.write(change.tx, rows);
  await createAll(change, parts.content);
  return traces;
}
