import { type FieldProblem, ValidationFailed } from '../lib/errors.ts';
import type { ConfigurationRow } from '../storage/statements/configuration.ts';
import { writeConfiguration } from '../storage/statements/configuration.ts';
import { lockConfiguration } from '../storage/statements/configuration-hold.ts';
import type { Kernel } from './kernel.ts';
import { OVERVIEW, type Panel, panelSettings, type Setting } from './panel.ts';
import { readPanelInput } from './panel-input.ts';
import { KINDS, type Site } from './site.ts';

/** A value that somebody wants a setting to have; null empties it. */
export type SettingChange = { panel: Panel; setting: Setting; value: unknown };

/** A change of settings: what is wanted, and what of it is already known to be wrong. */
export type SettingsInput = { changes: SettingChange[]; problems: FieldProblem[] };

/** Who changes settings. */
export type SettingEditor = {
  /** Throws unless the caller has the permission on the site. */
  requirePermission(permission: string): void;
  /** How the caller calls a setting, for problems. */
  nameOf(panel: Panel, name: string): string;
};

/**
 * The rows of the configuration after a change of settings of any panels; none when everything stays. Throws
 * ValidationFailed with every problem there is.
 */
export function settingRows(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  site: Site,
  { changes, problems: known }: SettingsInput,
  editor: SettingEditor,
): ConfigurationRow[] {
  const problems = [...known];
  const rows: ConfigurationRow[] = [];
  for (const panel of new Set(changes.map(({ panel: one }) => one))) {
    const sent = new Map(
      changes.filter((one) => one.panel === panel).map(({ setting, value }) => [setting.name, value]),
    );
    const found: FieldProblem[] = [];
    const changed = readPanelInput(panel, sent, {
      kinds: fieldKinds,
      site,
      values: panelSettings(site, panel),
      problems: found,
      requirePermission: ({ permission }) => editor.requirePermission(permission ?? panel.permission ?? OVERVIEW),
    });
    problems.push(...found.map(({ field = '', message }) => ({ field: editor.nameOf(panel, field), message })));
    if (Object.keys(changed).length > 0)
      rows.push({
        kind: KINDS.setting,
        id: panel.id,
        position: 0,
        data: { ...site.settings.get(panel.id), ...changed },
      });
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
  return rows;
}

/**
 * Changes settings of the site, all of them or none, and lets all processes know. Two changes at once lose nothing of each
 * other. Throws ValidationFailed, and what `editor.need` throws.
 */
export async function changeSettings(kernel: Kernel, input: SettingsInput, editor: SettingEditor): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const site = await kernel.sites.at(await lockConfiguration(tx), tx);
    const rows = settingRows(kernel, site, input, editor);
    if (rows.length > 0) await writeConfiguration(tx, rows);
  });
}
