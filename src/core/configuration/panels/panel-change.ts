import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '../../../database/database.ts';
import { type FieldProblem, ValidationFailed } from '../../../lib/errors.ts';
import { tokenOf } from '../../../lib/json-object.ts';
import type { Field } from '../../types/content-type.ts';
import type { Property } from '../../types/definition.ts';
import { attempt, into } from '../../types/field-input.ts';
import { FieldError, NO_REFERENCES } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { KINDS, type Site, type SiteRegistries } from '../site/site.ts';
import type { SiteCache } from '../site/site-cache.ts';
import { type ConfigurationRow, lockConfiguration, writeConfiguration } from '../statements/configuration.ts';
import { type Choices, OVERVIEW, type Panel, type PanelValues, panelSettings, type Setting } from './panel.ts';

/** Choices of a setting, with its present value, which stays valid also when it is no longer a choice, such as a removed type. */
function choicesWith(choices: Choices, current: unknown): Choices {
  const tokens = (Array.isArray(current) ? current : [current]).filter((item) => typeof item === 'string');
  const gone = tokens.filter((token) => !choices.some(([known]) => known === token));
  return [...choices, ...gone.map((token): [string, string] => [token, token])];
}

/** The form of a setting on a site, with its choices. `values` are those of its panel. */
export function settingField(setting: Setting, site: Site, values: PanelValues): Field {
  const { name, property, required = false, choices } = setting;
  const base = { ...property, name, required };
  if (!choices) return base;
  const offered = choicesWith(choices(site, values), values[name]);
  return property.type === 'array'
    ? { ...base, items: { type: 'string', choices: offered } }
    : { ...base, choices: offered };
}

/** Value of a setting that is set to null: an empty list or text, otherwise the default. */
function emptyOf(kinds: FieldKinds, property: Property): unknown {
  const { type, default: fallback } = property;
  if (type === 'array') return [];
  return type === 'string' && kinds.of(property).chooses !== 'one' && fallback !== null ? '' : (fallback ?? null);
}

/** The stored form of a value that a client sent. Throws FieldError. */
function parseValue(kinds: FieldKinds, field: Field, sent: unknown): unknown {
  const kind = kinds.of(field);
  const isEmpty = sent === null || (kind.chooses === 'one' && tokenOf(sent) === '');
  if (isEmpty && field.required) throw new FieldError('Must not be empty.');
  const read = isEmpty ? null : kind.deserialize(sent, field, NO_REFERENCES);
  return read ?? emptyOf(kinds, field);
}

/**
 * Parses the settings of one panel that a client sent, by name, and returns the values that really change. Unchanged values are not
 * checked, because clients send a whole panel back. Adds every problem to `problems`. `requirePermission` throws for a caller
 * without the permission for the change of a setting.
 */
function parsePanelInput(
  panel: Panel,
  sent: ReadonlyMap<string, unknown>,
  {
    kinds,
    site,
    values,
    problems,
    requirePermission,
  }: {
    kinds: FieldKinds;
    site: Site;
    values: PanelValues;
    problems: FieldProblem[];
    requirePermission: (setting: Setting) => void;
  },
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const present: Record<string, unknown> = { ...values };
  const found: FieldProblem[] = [];
  for (const setting of panel.settings) {
    const { name } = setting;
    if (!sent.has(name) || (setting.secret && sent.get(name) === '')) continue;
    const change = () => {
      const value = parseValue(kinds, settingField(setting, site, present), sent.get(name));
      if (isDeepStrictEqual(value, present[name])) return;
      requirePermission(setting);
      const problem = setting.problem?.(value);
      if (problem !== undefined) throw new FieldError(problem);
      changed[name] = value;
      present[name] = value;
    };
    attempt(name, change, into(found));
  }
  if (found.length === 0 && Object.keys(changed).length > 0) found.push(...(panel.check?.(present) ?? []));
  problems.push(...found);
  return changed;
}

/** A wanted value of a setting; null empties the setting. */
export type SettingChange = { panel: Panel; setting: Setting; value: unknown };

/** A change of settings: the wanted values, and their problems that are already known. */
export type SettingsInput = { changes: SettingChange[]; problems: FieldProblem[] };

/** The caller that changes settings. */
export type SettingEditor = {
  /** Throws unless the caller has the permission on the site. */
  requirePermission(permission: string): void;
  /** The name of a setting in problems for this caller. */
  nameOf(panel: Panel, name: string): string;
};

/**
 * Work that follows a change of settings, in its transaction. `panels` are those with changes, `names` the settings as
 * `<panel>.<name>`.
 */
export type SettingsFollowUp = (
  change: { panels: string[]; names: string[]; before: Site },
  tx: Transaction,
) => Promise<void>;

/** The names of the settings that rows change, as `<panel>.<name>`. */
const changedNames = (site: Site, rows: readonly ConfigurationRow[]): string[] =>
  rows.flatMap(({ id, data }) => {
    const before = site.settings.get(id) ?? {};
    return Object.entries(data as Record<string, unknown>).flatMap(([name, value]) =>
      isDeepStrictEqual(value, before[name]) ? [] : [`${id}.${name}`],
    );
  });

/** The rows of the configuration after a change of settings of any panels; none when everything stays. Throws ValidationFailed with all problems. */
export function settingRows(
  { fieldKinds }: Pick<SiteRegistries, 'fieldKinds'>,
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
    const changed = parsePanelInput(panel, sent, {
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
        id: panel.store ?? panel.id,
        position: 0,
        data: { ...site.settings.get(panel.store ?? panel.id), ...changed },
      });
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
  return rows;
}

/**
 * Changes settings of the site, all of them or none, and notifies all processes. Concurrent changes do not lose each other's values. Throws
 * ValidationFailed, and the errors of `editor.requirePermission`.
 */
export async function changeSettings(
  kernel: Pick<SiteRegistries, 'fieldKinds'> & { db: Database; sites: SiteCache },
  input: SettingsInput,
  editor: SettingEditor,
  followUp: SettingsFollowUp,
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const site = await kernel.sites.at(await lockConfiguration(tx), tx);
    const rows = settingRows(kernel, site, input, editor);
    if (rows.length === 0) return;
    await writeConfiguration(tx, rows);
    await followUp({ panels: rows.map(({ id }) => id), names: changedNames(site, rows), before: site }, tx);
  });
}
