import { isDeepStrictEqual } from 'node:util';
import type { Kernel } from '../../kernel/kernel.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { AddonRow, AddonSetting, SettingTrace } from '../../site/addon.ts';
import { KINDS, type Site } from '../../site/site.ts';
import { loadConfiguration, removeConfiguration, writeConfiguration } from '../../storage/statements/configuration.ts';
import {
  ADDON_POSITION,
  type AddonChange,
  addonPath,
  addonRow,
  applyParts,
  changeAddon,
  requireAvailable,
  requireInstalled,
  siteWithin,
} from './addon-change.ts';
import { requireComplete, requireFree, requireUnused } from './addon-checks.ts';
import { requireConsistent, undoSettings, withoutAddon } from './addon-settings.ts';

/**
 * Installs an add-on, in one transaction: its types, behaviors, workflows and permissions, which must be new to the site,
 * its settings and its content, which the caller owns. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function installAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    if (change.installed) throw new BadRequest(`The add-on "${change.id}" is installed already.`);
    await installWithin(change);
  });
}

/** The same inside a change of an add-on that is not installed. */
export async function installWithin(change: AddonChange): Promise<void> {
  const { tx, site, id } = change;
  const { title, description, version, rows, ...parts } = requireAvailable(change);
  requireFree(site, rows);
  await writeConfiguration(
    tx,
    rows.map((row) => ({ ...row, position: ADDON_POSITION })),
  );
  requireComplete(await siteWithin(change), rows);
  const settings = await applyParts(change, parts);
  await writeConfiguration(tx, [addonRow(id, { title, description, version, rows, settings })]);
}

const isSame = (a: { kind: string; id: string }, b: { kind: string; id: string }): boolean =>
  a.kind === b.kind && a.id === b.id;

/** Whether the new version may change the setting: nobody has changed it since, and no further profile has set it. */
const isOpen = (site: Site, trace: SettingTrace): boolean =>
  trace.profile === undefined &&
  ('added' in trace || isDeepStrictEqual(site.settings.get(trace.panel)?.[trace.name], trace.after));

/**
 * Upgrades an add-on to the version in its folder, in one transaction. Configuration that was changed on the site since
 * then stays as it is; content is not created again. Throws NotFound, ValidationFailed, and BadRequest when there is nothing
 * to upgrade, and as installing and uninstalling do.
 */
export async function upgradeAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, upgradeWithin);
}

/** The same inside a change of an add-on that is installed. */
export async function upgradeWithin(change: AddonChange): Promise<void> {
  const { kernel, tx, site, id } = change;
  const old = requireInstalled(change);
  const { title, description, version, rows, settings } = requireAvailable(change);
  if (BigInt(version) <= BigInt(old.version))
    throw new BadRequest(`The add-on "${id}" is at version ${old.version}, which is the newest one.`);
  const removed = old.rows.filter((row) => !rows.some((next) => isSame(row, next)));
  await requireUnused(tx, site, removed);
  requireFree(
    site,
    rows.filter((row) => !old.rows.some((before) => isSame(row, before))),
  );
  const present = (await loadConfiguration(tx)).rows;
  const isChanged = (row: AddonRow): boolean => {
    const before = old.rows.find((one) => isSame(one, row));
    const now = present.find((one) => isSame(one, row));
    return before !== undefined && !isDeepStrictEqual(now?.data, before.data);
  };
  await removeConfiguration(tx, removed);
  const positionOf = (row: AddonRow): number => present.find((one) => isSame(one, row))?.position ?? ADDON_POSITION;
  await writeConfiguration(
    tx,
    rows.filter((row) => !isChanged(row)).map((row) => ({ ...row, position: positionOf(row) })),
  );
  requireComplete(await siteWithin(change), rows);
  const traces = await upgradeSettings(kernel, change, { site, traces: old.settings, wanted: settings });
  await writeConfiguration(tx, [addonRow(id, { title, description, version, rows, settings: traces })]);
}

/**
 * Gives settings the values of the new version, except those that were changed since the installation. Returns what
 * uninstalling has to undo.
 */
async function upgradeSettings(
  kernel: Kernel,
  change: Parameters<typeof applyParts>[0],
  { site, traces, wanted }: { site: Site; traces: SettingTrace[]; wanted: AddonSetting[] },
): Promise<SettingTrace[]> {
  const kept = traces.filter((trace) => !isOpen(site, trace));
  const open = traces.filter((trace) => isOpen(site, trace));
  if (open.length > 0) await writeConfiguration(change.tx, undoSettings(await siteWithin(change), open));
  const isKept = ({ panel, name }: AddonSetting) => kept.some((trace) => trace.panel === panel && trace.name === name);
  const applied = await applyParts(change, { settings: wanted.filter((one) => !isKept(one)), content: [] });
  requireConsistent(kernel, await siteWithin(change), open);
  return [...kept, ...applied];
}

/**
 * Uninstalls an add-on, in one transaction: removes its types, behaviors, workflows and permissions, and resets the settings
 * that nobody has changed since. Content stays. Throws NotFound, ValidationFailed, and BadRequest while there is content of
 * its types, or another type needs its behaviors or workflows.
 */
export async function uninstallAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, site, id } = change;
    const { rows, settings } = requireInstalled(change);
    await requireUnused(tx, site, rows);
    const others = [...site.addons].flatMap(([other, data]) => {
      const next = withoutAddon(data.settings, settings);
      return other === id || isDeepStrictEqual(next, data.settings)
        ? []
        : [addonRow(other, { ...data, settings: next })];
    });
    await removeConfiguration(tx, [...rows, { kind: KINDS.addon, id }]);
    await writeConfiguration(tx, [...undoSettings(site, settings), ...others]);
    requireConsistent(kernel, await siteWithin(change), settings);
  });
}

/**
 * Applies the settings and content of a further profile of an installed add-on, in one transaction. Uninstalling the add-on
 * undoes the settings. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function importAddonProfile(
  kernel: Kernel,
  { profile, ...request }: { caller: Caller; id: string; profile: string },
): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, id } = change;
    const installed = requireInstalled(change);
    const parts = requireAvailable(change).profiles.get(profile);
    if (!parts) throw new NotFound(`${addonPath(id)}/import/${profile}`);
    const traces = (await applyParts(change, parts)).map((trace) => ({ ...trace, profile }));
    await writeConfiguration(tx, [addonRow(id, { ...installed, settings: [...installed.settings, ...traces] })]);
  });
}
