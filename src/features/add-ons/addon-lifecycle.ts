import { isDeepStrictEqual } from 'node:util';
import {
  type Caller,
  configuration,
  type Kernel,
  type profileFiles,
  profiles,
  profileTables,
  requireUniqueSite,
  type Site,
  sitePieces,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { followChange } from '../upgrades/follow-up.ts';
import type { AddonRow, AddonSetting, SettingTrace } from './addon.ts';
import {
  ADDON_POSITION,
  type AddonChange,
  addonPath,
  addonRow,
  applyParts,
  changeAddon,
  reportChange,
  requireAvailable,
  requireInstalled,
} from './addon-change.ts';
import { requireComplete, requireFree, requireUnused } from './addon-checks.ts';
import { requireConsistent, undoSettings } from './addon-settings.ts';

/**
 * Installs an add-on, in one transaction: its types, behaviors, workflows, permissions and rules, which must be new to the
 * site, its settings and its content, which the caller owns. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function installAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, 'installed', async (change) => {
    if (change.installed) throw new BadRequest(`The add-on "${change.id}" is installed already.`);
    await installWithin(change);
  });
}

/** Installs the add-on inside a change of an add-on that is not installed. */
export async function installWithin(change: AddonChange): Promise<void> {
  const { kernel, tx, id } = change;
  const { title, description, version, rows, steps: _steps, hooks, ...parts } = requireAvailable(change);
  await requireFree(change, rows);
  await configuration.write(
    tx,
    rows.filter((row) => !profileTables.tableOf(kernel, row)).map((row) => ({ ...row, position: ADDON_POSITION })),
  );
  requireComplete(await kernel.sites.within(tx), rows);
  const settings = await applyParts(change, parts);
  const [missing] = await profileTables.writeTableRows({ kernel, tx, site: await kernel.sites.within(tx) }, rows);
  if (missing)
    throw new BadRequest(`The ${sitePieces.nameOf(missing)} cannot be installed, ${missing.key}: ${missing.reason}.`);
  await configuration.write(tx, [addonRow(id, { title, description, version, rows, settings })]);
  await hooks?.installed?.({ kernel, tx, caller: change.caller });
}

/** True if the new version may change the setting: it is unchanged since, and no further profile has set it. */
const isOpen = (site: Site, trace: SettingTrace): boolean =>
  trace.profile === undefined &&
  ('added' in trace || isDeepStrictEqual(site.settings.get(trace.panel)?.[trace.name], trace.after));

/**
 * Upgrades an add-on to the version in its folder, in one transaction. Changes that were made on the site since the installation stay; content is not
 * created again. A `dryRun` is rolled back. Returns a report with a line for each change and for everything that stays. Throws NotFound,
 * ValidationFailed, UpgradeFailed, BadRequest when there is nothing to upgrade, and the errors of installing and uninstalling.
 */
export async function upgradeAddon(
  kernel: Kernel,
  request: { caller: Caller; id: string },
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<string[]> {
  return reportChange(kernel, request, { done: 'upgraded', dryRun, work: upgradeWithin });
}

/** Rows of an add-on in the form of profile rows. */
const profileRows = (rows: readonly AddonRow[]): profileFiles.Row[] =>
  rows.map(({ kind, id, data, file = sitePieces.nameOf({ kind, id }) }) => ({
    ...{ kind, id, data, file },
    position: ADDON_POSITION,
  }));

/** Upgrades the add-on inside a change of an add-on that is installed. */
export async function upgradeWithin(change: AddonChange): Promise<string[]> {
  const { kernel, tx, site, id, caller } = change;
  const old = requireInstalled(change);
  const { title, description, version, rows, steps, settings } = requireAvailable(change);
  if (BigInt(version) <= BigInt(old.version))
    throw new BadRequest(`The add-on "${id}" is at version ${old.version}, which is the newest one.`);
  const isIn = (list: readonly AddonRow[], row: AddonRow) =>
    list.some((one) => one.kind === row.kind && one.id === row.id);
  await requireUnused(
    tx,
    site,
    old.rows.filter((row) => !isIn(rows, row)),
  );
  await requireFree(
    change,
    rows.filter((row) => !isIn(old.rows, row)),
  );
  const lines = [`Upgrading the add-on "${id}" from version ${old.version} to ${version}.`];
  const report = (line: string) => lines.push(line);
  await profiles.upgrade(kernel, tx, {
    target: {
      ...{ addon: id, from: old.version, to: version, steps },
      installed: profileRows(old.rows),
      rows: profileRows(rows),
      loadReleases: () => [],
    },
    report,
  });
  requireComplete(await kernel.sites.within(tx), rows);
  const traces = await upgradeSettings(kernel, change, { site, traces: old.settings, wanted: settings });
  await configuration.write(tx, [addonRow(id, { title, description, version, rows, settings: traces })]);
  const after = await kernel.sites.within(tx);
  await requireUniqueSite(tx, { before: site, after, caller });
  lines.push(...settingLines(kernel, { before: site, after }, { old: old.settings, traces, wanted: settings }));
  lines.push(...(await followChange(kernel, tx, { before: site, after, caller })));
  return [...lines, `The add-on "${id}" is at version ${version} now.`];
}

/** A line for each setting that an upgrade has changed, and for each setting that keeps the value of the site or of another profile. */
function settingLines(
  kernel: Kernel,
  { before, after }: { before: Site; after: Site },
  {
    old,
    traces,
    wanted,
  }: { old: readonly SettingTrace[]; traces: readonly SettingTrace[]; wanted: readonly AddonSetting[] },
): string[] {
  const names = new Map([...old, ...wanted].map(({ panel, name }) => [`${panel}.${name}`, { panel, name }]));
  return [...names.values()].flatMap(({ panel, name }) => {
    const [from, to] = [before, after].map(({ settings }) => settings.get(panel)?.[name]);
    const isSecret = kernel.panels.get(panel)?.settings.find((setting) => setting.name === name)?.secret === true;
    const value = to === undefined ? 'what it is by default' : isSecret ? '(not shown)' : JSON.stringify(to);
    if (!isDeepStrictEqual(from, to)) return [`Changed settings.json, ${panel}.${name}: it becomes ${value}.`];
    const isWanted = wanted.some((one) => one.panel === panel && one.name === name);
    const trace = traces.find((one) => one.panel === panel && one.name === name);
    const isKept = isWanted && trace && !('added' in trace) && old.includes(trace);
    return isKept ? [`Kept settings.json, ${panel}.${name}: the site has changed it.`] : [];
  });
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
  if (open.length > 0) await configuration.write(change.tx, undoSettings(await kernel.sites.within(change.tx), open));
  const isKept = ({ panel, name }: AddonSetting) => kept.some((trace) => trace.panel === panel && trace.name === name);
  const applied = await applyParts(change, { settings: wanted.filter((one) => !isKept(one)), content: [] });
  requireConsistent(kernel, await kernel.sites.within(change.tx), open);
  return [...kept, ...applied];
}

/**
 * Applies the settings and content of a further profile of an installed add-on, in one transaction. Uninstalling the add-on
 * undoes the settings. Throws NotFound, BadRequest, ValidationFailed.
 */
export async function importAddonProfile(
  kernel: Kernel,
  { profile, ...request }: { caller: Caller; id: string; profile: string },
): Promise<void> {
  await changeAddon(kernel, request, `extended by ${profile}`, async (change) => {
    const { tx, id } = change;
    const installed = requireInstalled(change);
    const parts = requireAvailable(change).profiles.get(profile);
    if (!parts) throw new NotFound(`${addonPath(id)}/import/${profile}`);
    const traces = (await applyParts(change, parts)).map((trace) => ({ ...trace, profile }));
    await configuration.write(tx, [addonRow(id, { ...installed, settings: [...installed.settings, ...traces] })]);
  });
}
