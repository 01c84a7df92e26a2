import { ConfigError } from '../../core/configuration/environment/setting-names.ts';
import { type PanelRegistry, panelSettings, type Setting } from '../../core/configuration/panels/panel.ts';
import { changeSettings, type SettingChange } from '../../core/configuration/panels/panel-change.ts';
import type { Command } from '../../core/kernel/command.ts';
import { callerFor } from '../../core/security/caller.ts';

/** Parses a value of the command line as JSON. Other values are texts, and for a setting of type text all values are. */
function parseValue(text: string, { property }: Setting): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return property.type === 'string' && value !== null && typeof value !== 'string' ? text : value;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Splits `<panel>.<name>`. Throws ConfigError. */
function splitName(name: string): [panel: string, key: string] {
  const [panel = '', key = '', ...more] = name.split('.');
  if (panel === '' || key === '' || more.length > 0)
    throw new ConfigError(`"${name}" is not the name of a setting such as security.store_tokens.`);
  return [panel, key];
}

/** The setting of that name in the panel. Throws ConfigError with the existing names. */
function namedSetting(panels: PanelRegistry, [id, key]: [panel: string, key: string]): Omit<SettingChange, 'value'> {
  const panel = panels.get(id);
  if (!panel) {
    const known = panels.all().map((one) => one.id);
    throw new ConfigError(`There is no panel "${id}". Panels: ${known.join(', ')}.`);
  }
  const setting = panel.settings.find(({ name, alias }) => name === key || alias === key);
  if (!setting) {
    const known = panel.settings.map((one) => one.name);
    throw new ConfigError(`The panel "${id}" has no setting "${key}". It has: ${known.join(', ')}.`);
  }
  return { panel, setting };
}

/** The actor of the change and of its consequences. */
const OPERATOR = callerFor({ id: 'admin', login: 'admin', fullname: '', roles: ['Manager'], groups: [] });

/**
 * Sets one value of the site's settings, `<panel>.<name>`, such as `security.store_tokens true`, by the rules of `@controlpanels`. Running servers on
 * the same database use the new value at once.
 */
export const setCommand: Command = {
  name: 'set',
  summary: "set a value of the site's settings, such as security.store_tokens true",
  operands: [
    { name: 'setting', description: 'The name of the setting in its control panel, such as site.site_title.' },
    { name: 'value', description: 'Its value as JSON; other texts are taken as they stand.' },
  ],
  example: 'set site.site_title "Town of Example"',
  json: '`name` of the setting and its `value`, which is null where it is secret.',
  async run({ open }, { operands: [name = '', value = ''] }) {
    const parts = splitName(name);
    const kernel = await open();
    const { panel, setting } = namedSetting(kernel.panels, parts);
    const change = { panel, setting, value: parseValue(value, setting) };
    await changeSettings(
      kernel,
      { changes: [change], problems: [] },
      // The operator has access to the database, so no permission is checked.
      { requirePermission() {}, nameOf: (_panel, key) => `${panel.id}.${key}` },
      (change, tx) => kernel.events.emit('settings.changed', change, { tx, caller: OPERATOR }),
    );
    const values = panelSettings(await kernel.sites.current(), panel);
    const stored: unknown = setting.secret ? null : values[setting.name];
    const shown = setting.secret ? '(not shown)' : JSON.stringify(stored);
    return { lines: [`${name} = ${shown}`], data: { name, value: stored } };
  },
};
