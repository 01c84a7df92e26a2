import { isDeepStrictEqual } from 'node:util';
import { configuration, controlPanels, type Kernel, panelSettings, type Site, settings } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import type { AddonSetting, SettingTrace } from './addon.ts';

type Applied = { rows: configuration.Row[]; traces: SettingTrace[] };

type SettingChange = Parameters<typeof controlPanels.rowsOf>[2]['changes'][number];

/** The change of a setting for an add-on, with the items that it adds to a list; or the problem with it. */
function wantedChange(
  { panels }: Pick<Kernel, 'panels'>,
  site: Site,
  wanted: AddonSetting,
): { change: SettingChange; added?: string[] } | FieldProblem {
  const panel = panels.get(wanted.panel);
  const setting = panel?.settings.find(({ name }) => name === wanted.name);
  if (!panel || !setting) return { field: `${wanted.panel}.${wanted.name}`, message: 'There is no such setting.' };
  if ('value' in wanted) return { change: { panel, setting, value: wanted.value } };
  const present = settings.textsOf(panelSettings(site, panel)[setting.name]);
  const added = wanted.add.filter((item) => !present.includes(item));
  return { change: { panel, setting, value: [...present, ...added] }, added };
}

/**
 * Applies the settings of an add-on by the rules of the control panels. Returns the rows to write, and traces of what
 * changed, by which it can be undone. Throws ValidationFailed.
 */
export function applySettings(
  kernel: Pick<Kernel, 'panels' | 'fieldKinds'>,
  site: Site,
  wanted: readonly AddonSetting[],
): Applied {
  const found = wanted.map((setting) => wantedChange(kernel, site, setting));
  const plans = found.flatMap((plan) => ('change' in plan ? [plan] : []));
  const problems = found.flatMap((plan) => ('change' in plan ? [] : [plan]));
  const changes = plans.map(({ change }) => change);
  const rows = controlPanels.rowsOf(
    kernel,
    site,
    { changes, problems },
    { requirePermission() {}, nameOf: (panel, name) => `${panel.id}.${name}` },
  );
  const traces = plans.flatMap(({ change: { panel, setting }, added }): SettingTrace[] => {
    const where = { panel: panel.id, name: setting.name };
    if (added) return added.length > 0 ? [{ ...where, added }] : [];
    const stored = site.settings.get(panel.id);
    const next = rows.find(({ id }) => id === panel.id)?.data ?? stored;
    const [before, after] = [stored?.[setting.name], (next as Record<string, unknown> | undefined)?.[setting.name]];
    if (isDeepStrictEqual(before, after)) return [];
    return [{ ...where, ...(before === undefined ? {} : { before }), after }];
  });
  return { rows, traces };
}

/** The values of a panel without the changes of an add-on. Later changes by others stay. */
function undone(values: Record<string, unknown>, traces: readonly SettingTrace[]): Record<string, unknown> {
  const next = { ...values };
  for (const trace of [...traces].reverse()) {
    const { name } = trace;
    if ('added' in trace) next[name] = settings.textsOf(next[name]).filter((item) => !trace.added.includes(item));
    else if (isDeepStrictEqual(next[name], trace.after)) {
      if ('before' in trace) next[name] = trace.before;
      else delete next[name];
    }
  }
  return next;
}

const panelsOf = (traces: readonly SettingTrace[]): string[] => [...new Set(traces.map(({ panel }) => panel))];

/** The rows of settings without the changes of an add-on. `requireConsistent` checks them once they are written. */
export const undoSettings = (site: Site, traces: readonly SettingTrace[]): configuration.Row[] =>
  panelsOf(traces).map((id) => ({
    kind: configuration.KINDS.setting,
    id,
    position: 0,
    data: undone(
      site.settings.get(id) ?? {},
      traces.filter(({ panel }) => panel === id),
    ),
  }));

/** Throws ValidationFailed when panels whose settings an add-on has changed are not consistent. */
export function requireConsistent(
  { panels }: Pick<Kernel, 'panels'>,
  site: Site,
  traces: readonly SettingTrace[],
): void {
  const problems = panelsOf(traces).flatMap((id) => {
    const panel = panels.get(id);
    const found = panel?.check?.(panelSettings(site, panel)) ?? [];
    return found.map(({ field = '', message }) => ({ field: `${id}.${field}`, message }));
  });
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/**
 * The traces of an add-on after another add-on, with the traces `removed`, is uninstalled. If the other add-on had replaced a value of the removed
 * one, undoing its trace restores the value from before both.
 */
export const withoutAddon = (traces: readonly SettingTrace[], removed: readonly SettingTrace[]): SettingTrace[] =>
  traces.map((trace) => {
    const under = removed.find(
      (other) =>
        'after' in other &&
        'before' in trace &&
        other.panel === trace.panel &&
        other.name === trace.name &&
        isDeepStrictEqual(other.after, trace.before),
    );
    if (!under || 'added' in under || 'added' in trace) return trace;
    const { before: _, ...rest } = trace;
    return 'before' in under ? { ...rest, before: under.before } : rest;
  });
