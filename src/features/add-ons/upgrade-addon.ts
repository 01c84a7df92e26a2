import { isDeepStrictEqual } from 'node:util';
import { BadRequest } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { AddonRow, AddonSetting, SettingTrace } from '../../site/addon.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import { readConfiguration, writeConfiguration } from '../../storage/statements/configuration.ts';
import { removeConfiguration } from '../../storage/statements/configuration-hold.ts';
import {
  ADDON_POSITION,
  addonRow,
  applyParts,
  changeAddon,
  requireFolder,
  requireInstalled,
  siteWithin,
} from './addon-change.ts';
import { requireFree, requireUnused, requireWhole } from './addon-checks.ts';
import { requireConsistent, undoSettings } from './addon-settings.ts';

const isSame = (a: { kind: string; id: string }, b: { kind: string; id: string }): boolean =>
  a.kind === b.kind && a.id === b.id;

/** Whether the new version may give the setting another value: nobody else has, and no further profile of the add-on. */
const isOpen = (site: Site, trace: SettingTrace): boolean =>
  trace.profile === undefined &&
  ('added' in trace || isDeepStrictEqual(site.settings.get(trace.panel)?.[trace.name], trace.after));

/**
 * Brings an add-on to the version of its files, in one transaction. What was changed on the site since it was installed
 * stays as it is; content that it brings to new sites is not made again. Throws NotFound, ValidationFailed, and BadRequest
 * when there is nothing to upgrade, and as installing and uninstalling do.
 */
export async function upgradeAddon(kernel: Kernel, request: { caller: Caller; id: string }): Promise<void> {
  await changeAddon(kernel, request, async (change) => {
    const { tx, site, id } = change;
    const old = requireInstalled(change);
    const { title, description, version, rows, settings } = requireFolder(change);
    if (BigInt(version) <= BigInt(old.version))
      throw new BadRequest(`The add-on "${id}" is at version ${old.version}, which is the newest one.`);
    const gone = old.rows.filter((row) => !rows.some((next) => isSame(row, next)));
    await requireUnused(tx, site, gone);
    requireFree(
      site,
      rows.filter((row) => !old.rows.some((before) => isSame(row, before))),
    );
    const present = (await readConfiguration(tx)).rows;
    const isChanged = (row: AddonRow): boolean => {
      const before = old.rows.find((one) => isSame(one, row));
      const now = present.find((one) => isSame(one, row));
      return before !== undefined && !isDeepStrictEqual(now?.data, before.data);
    };
    await removeConfiguration(tx, gone);
    const positionOf = (row: AddonRow): number => present.find((one) => isSame(one, row))?.position ?? ADDON_POSITION;
    await writeConfiguration(
      tx,
      rows.filter((row) => !isChanged(row)).map((row) => ({ ...row, position: positionOf(row) })),
    );
    requireWhole(await siteWithin(change), rows);
    const traces = await upgradeSettings(kernel, change, { site, traces: old.settings, wanted: settings });
    await writeConfiguration(tx, [addonRow(id, { title, description, version, rows, settings: traces })]);
  });
}

/** Gives settings the values of the new version, but for those that were changed since. Answers what is to be remembered. */
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
